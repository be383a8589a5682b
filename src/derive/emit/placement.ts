/** Where the pod of a replica may run. It always wins over patches. Source: gateway parameters, `tunnel.replicas[]`. */
import type { KubeObject } from '../../facts/object.ts';
import type { ReplicaPlacement } from '../plane.ts';

type Fields = Readonly<Record<string, unknown>>;

const zoneKey = 'topology.kubernetes.io/zone';

/**
 * The Deployment with the placement of its replica: `affinity` takes the place of any other; labels of `nodeSelector` replace equal ones; `zone`
 * is demanded of every node beside whatever else is, and what a patch said of the zone is dropped.
 */
export function placed(deployment: KubeObject, { zone, affinity, nodeSelector }: ReplicaPlacement): KubeObject {
  const spec = fields(deployment.spec);
  const template = fields(spec.template);
  const pod: Record<string, unknown> = { ...fields(template.spec) };
  if (affinity !== undefined) pod.affinity = affinity;
  if (zone !== undefined) {
    pod.affinity = inZone(zone, fields(pod.affinity));
    pod.nodeSelector = without(fields(pod.nodeSelector), zoneKey);
  }
  if (nodeSelector !== undefined) pod.nodeSelector = { ...fields(pod.nodeSelector), ...nodeSelector };
  // The API server stores no empty map, and would seem to differ from one for ever.
  if (Object.keys(fields(pod.nodeSelector)).length === 0) delete pod.nodeSelector;
  return { ...deployment, spec: { ...spec, template: { ...template, spec: pod } } };
}

/** A node must fit one of several terms, and each term as a whole: so the zone goes into each of them. */
function inZone(zone: string, affinity: Fields): Fields {
  const nodeAffinity = fields(affinity.nodeAffinity);
  const { nodeSelectorTerms } = fields(nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution);
  const given = Array.isArray(nodeSelectorTerms) && nodeSelectorTerms.length > 0 ? nodeSelectorTerms : [{}];
  const wanted = { key: zoneKey, operator: 'In', values: [zone] };
  const terms = given.map((term: unknown) => {
    const { matchExpressions, ...rest } = fields(term);
    const others = Array.isArray(matchExpressions) ? matchExpressions : [];
    return { ...rest, matchExpressions: [...others.filter((one: unknown) => fields(one).key !== zoneKey), wanted] };
  });
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: terms };
  return { ...affinity, nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution } };
}

function without(from: Fields, key: string): Fields {
  return Object.fromEntries(Object.entries(from).filter(([name]) => name !== key));
}

/** What a patch left there, if it is an object at all: the API server says the rest. */
function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
