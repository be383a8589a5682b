import { leaseRules, clusterRules, type PolicyRule } from '../effects/kube/rbac.ts';
import { statusKinds, watchedKinds, writtenKinds } from './watchedkinds.ts';

/** What the operator must be allowed in all namespaces, from what it does. The chart's ClusterRole is held to it by a test. */
export function neededRules(): readonly PolicyRule[] {
  return clusterRules({
    watched: watchedKinds.map(({ kind }) => kind),
    applied: [...writtenKinds, 'Secret', 'CloudflareGatewayStatus'],
    status: [...statusKinds],
    patched: ['GatewayClass', 'Gateway', 'Pod'],
    owners: ['Gateway'],
  });
}

/** What it must be allowed in its own namespace: the Lease of that name. */
export function neededLeaseRules(lease: string): readonly PolicyRule[] {
  return leaseRules(lease);
}
