import { kinds as checkedKinds, type KindSchema } from '../schema/kinds.ts';
import type { Resource } from './resource.ts';

/** A kind by its name, with the versions it may be served under, the preferred one first. */
export interface KnownKind extends Resource {
  readonly otherVersions: readonly string[];
}

/** Kinds of Kubernetes that no rule reads and no file is checked for: what we write, observe or elect a leader with. */
const further: readonly Resource[] = [
  { apiVersion: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
  { apiVersion: 'v1', kind: 'Pod', plural: 'pods', namespaced: true },
  { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', plural: 'networkpolicies', namespaced: true },
  { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true },
  {
    apiVersion: 'autoscaling.k8s.io/v1',
    kind: 'VerticalPodAutoscaler',
    plural: 'verticalpodautoscalers',
    namespaced: true,
  },
  { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', plural: 'leases', namespaced: true },
  { apiVersion: 'events.k8s.io/v1', kind: 'Event', plural: 'events', namespaced: true },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
  },
];

const byName: ReadonlyMap<string, KnownKind> = new Map(
  [...checkedKinds.map(fromSchema), ...further.map((each) => ({ ...each, otherVersions: [] }))].map((each) => [
    each.kind,
    each,
  ]),
);

/** Where the objects of a kind are. Throws for a kind that neither rules nor effects know: a mistake in our own code. */
export function knownKind(kind: string): KnownKind {
  const found = byName.get(kind);
  if (found === undefined) throw new Error(`no kind ${kind} is known to the cluster's client`);
  return found;
}

/** Where an object itself is: its own apiVersion, which may be an older served one. */
export function resourceOf({ apiVersion, kind }: Pick<Resource, 'apiVersion' | 'kind'>): Resource {
  const { plural, namespaced } = knownKind(kind);
  return { apiVersion, kind, plural, namespaced };
}

function fromSchema({ group, kind, plural, scope, versions }: KindSchema): KnownKind {
  const [apiVersion = '', ...otherVersions] = versions.map((version) =>
    group === '' ? version : `${group}/${version}`,
  );
  return { apiVersion, otherVersions, kind, plural, namespaced: scope === 'Namespaced' };
}
