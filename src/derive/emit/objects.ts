/** From constructs to plain Kubernetes objects. */
import { ApiObject, App, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubeObject } from '../../facts/object.ts';
import { compareIds } from '../../table/order.ts';
import type { Plane } from '../plane.ts';

/**
 * The objects of the constructs that `build` makes in the scope it is given, sorted by kind and name. Nothing is added to what the
 * constructs say: no label, no hash in a name. Throws if two of them are one object.
 */
export function objects(build: (scope: Construct) => void): readonly KubeObject[] {
  const chart = new Chart(new App(), 'plane', { disableResourceNameHashes: true });
  build(chart);
  const found = chart.node
    .findAll()
    .filter((node) => ApiObject.isApiObject(node))
    .map((node) => node.toJson() as KubeObject);
  return sorted(found);
}

/** By kind and name. Throws if two objects have one identity: the second would silently replace the first. */
export function sorted(objects: readonly KubeObject[]): readonly KubeObject[] {
  const keyed = objects.map((object): [string, KubeObject] => [`${object.kind} ${object.metadata.name}`, object]);
  const inOrder = keyed.toSorted(([a], [b]) => compareIds(a, b));
  const twice = inOrder.find(([key], at) => key === inOrder[at + 1]?.[0]);
  if (twice) throw new Error(`two constructs make one object: ${twice[0]}`);
  return inOrder.map(([, object]) => object);
}

/** `objects`, with the Gateway's spec.infrastructure labels and annotations on each of them. */
export function planeOwned(plane: Plane, build: (scope: Construct) => void): readonly KubeObject[] {
  return objects(build).map((object) => withInfrastructure(plane, object));
}

interface Labelled {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Labels and annotations of spec.infrastructure first, then ours, which are never replaced; pods have them too. They are added here and not in
 * a construct, because cdk8s refuses a map with a key such as `constructor`, which is a legal label.
 * Source: Gateway API, GatewayInfrastructure.
 */
function withInfrastructure(plane: Plane, object: KubeObject): KubeObject {
  const metadata = { ...object.metadata, ...merged(plane, object.metadata) };
  const { template } = (object.spec ?? {}) as { readonly template?: { readonly metadata: Labelled } };
  if (template === undefined) return { ...object, metadata };
  const ofPods = { ...template.metadata, ...merged(plane, template.metadata) };
  return { ...object, metadata, spec: { ...(object.spec as object), template: { ...template, metadata: ofPods } } };
}

function merged(plane: Plane, { labels, annotations }: Labelled): Labelled {
  const all = { ...plane.annotations, ...annotations };
  return {
    labels: { ...plane.labels, ...labels },
    ...(Object.keys(all).length === 0 ? {} : { annotations: all }),
  };
}
