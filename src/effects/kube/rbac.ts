/** What the operator must be allowed to do, from what it does: the chart's roles are made from this and nothing is granted beside it. */
import { knownKind } from '../../facts/cluster/kinds.ts';
import { groupOf } from '../../facts/cluster/resource.ts';

/** Source: Kubernetes, rbac.authorization.k8s.io/v1 PolicyRule. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** Kinds by their names, by what is done with them. */
export interface Uses {
  /** Kept in the store by a reflector. */
  readonly watched: readonly string[];
  /** Planned, applied and pruned. */
  readonly applied: readonly string[];
  /** Of which the status is written. */
  readonly status: readonly string[];
  /** On which finalizers are set, or an annotation is touched. */
  readonly patched: readonly string[];
  /** Owners of what is applied, with `blockOwnerDeletion`. */
  readonly owners: readonly string[];
}

/** By what is done: on which subresource, with which verbs, and whose code needs it. */
const verbs: Readonly<Record<keyof Uses, readonly { readonly on?: string; readonly verbs: readonly string[] }[]>> = {
  // reads.ts
  watched: [{ verbs: ['list', 'watch'] }],
  // carryout.ts: looked up before it is made; an apply that makes an object needs both verbs.
  applied: [{ verbs: ['get', 'create', 'patch', 'delete'] }],
  // status.ts, and the reading again after a conflict in retry.ts
  status: [{ verbs: ['get'] }, { on: 'status', verbs: ['patch'] }],
  // finalizers.ts
  patched: [{ verbs: ['get', 'patch'] }],
  // ownership.ts; asked for by the admission plugin OwnerReferencesPermissionEnforcement
  owners: [{ on: 'finalizers', verbs: ['update'] }],
};

const order = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** Rules of the ClusterRole, sorted by group, resources and verbs; resources with the same verbs share a rule. */
export function clusterRules(uses: Uses): readonly PolicyRule[] {
  const byResource = new Map<string, Set<string>>([['events.k8s.io events', new Set(['create'])]]);
  for (const [use, kinds] of Object.entries(uses) as [keyof Uses, readonly string[]][]) {
    for (const kind of kinds) for (const each of verbs[use]) grant(byResource, kind, each);
  }
  const byVerbs = new Map<string, { group: string; resources: string[]; verbs: readonly string[] }>();
  for (const [key, set] of byResource) {
    const [group = '', resource = ''] = key.split(' ');
    const sorted = order.filter((verb) => set.has(verb));
    const rule = byVerbs.get(`${group} ${sorted.join()}`) ?? { group, resources: [], verbs: sorted };
    rule.resources.push(resource);
    byVerbs.set(`${group} ${sorted.join()}`, rule);
  }
  return [...byVerbs.values()]
    .map(({ group, resources, verbs: granted }) => ({
      apiGroups: [group],
      resources: resources.toSorted(),
      verbs: granted,
    }))
    .toSorted((a, b) => (ruleKey(a) < ruleKey(b) ? -1 : 1));
}

/** Rules of the Role in the operator's own namespace: its Lease. `create` cannot be limited to a name. Source: Kubernetes, RBAC, "Referring to resources". */
export function leaseRules(lease: string): readonly PolicyRule[] {
  const base = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...base, verbs: ['create'] },
    { ...base, resourceNames: [lease], verbs: ['get', 'patch'] },
  ];
}

function grant(
  byResource: Map<string, Set<string>>,
  kind: string,
  { on, verbs: granted }: { readonly on?: string; readonly verbs: readonly string[] },
): void {
  const { apiVersion, plural } = knownKind(kind);
  const key = `${groupOf(apiVersion)} ${on === undefined ? plural : `${plural}/${on}`}`;
  const set = byResource.get(key) ?? new Set<string>();
  byResource.set(key, set);
  for (const verb of granted) set.add(verb);
}

function ruleKey({ apiGroups, resources, verbs: granted }: PolicyRule): string {
  return [...apiGroups, ...resources, ...granted].join(' ');
}
