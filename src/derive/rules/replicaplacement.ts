import type { CloudflareGatewayParametersSpecTunnelReplicas } from '../../../imports/cloudflare-gateway-controller.io.ts';
import type { ReplicaPlacement } from '../plane.ts';
import type { FieldProblem } from './fieldproblem.ts';

type Replicas = readonly CloudflareGatewayParametersSpecTunnelReplicas[] | undefined;

/** One Deployment for each entry; one named primary where nothing is said, none where the list is empty. Gateway parameters, `tunnel.replicas`. */
export function replicaPlacements(replicas: Replicas): readonly ReplicaPlacement[] {
  if (replicas === undefined) return [{ name: 'primary' }];
  return replicas.map(({ name, zone, nodeSelector, affinity }) => ({
    name,
    ...(zone === undefined ? {} : { zone }),
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(affinity === undefined ? {} : { affinity: { ...affinity } }),
  }));
}

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const most = 128;

/** The rules of the CRD again, since old API servers check none of them. */
export function replicaProblems(replicas: Replicas): readonly FieldProblem[] {
  const all = replicas ?? [];
  const path = ['tunnel', 'replicas'];
  const tooMany =
    all.length > most ? [{ path, message: `has ${all.length} entries; ${most} are the most there can be` }] : [];
  const found = all.flatMap(({ name, zone, affinity }, index): FieldProblem[] => {
    if (!label.test(name))
      return [{ path: [...path, index, 'name'], message: `is "${name}"; use lower case letters, digits and -` }];
    const earlier = all.findIndex((other) => other.name === name);
    if (earlier < index)
      return [
        { path: [...path, index, 'name'], message: `is "${name}" as that of entry ${earlier}; give each its own` },
      ];
    if (zone !== undefined && affinity !== undefined)
      return [{ path: [...path, index], message: 'has both zone and affinity, which exclude each other; remove one' }];
    return [];
  });
  return [...tooMany, ...found];
}
