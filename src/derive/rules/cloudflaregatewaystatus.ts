import { certificatesName, planeName } from '../emit/objectnames.ts';
import { rule, type Read } from '../engine/declare.ts';
import type { StatusClaim } from '../results.ts';
import { cloudflareStates, gateways } from './collections.ts';
import { dataPlane, publishedEndpoints, publishedTable } from './dataplane.ts';
import { gatewayStatus } from './gatewaystatus.ts';
import { presentOf, splitKey } from './members.ts';
import { planeOfGateway } from './planes.ts';

/**
 * The CloudflareGatewayStatus beside a Gateway: its conditions, its tunnel, and everything that is made for it. Only where Cloudflare
 * has been read. Source: gateway parameters, "CloudflareGatewayStatus".
 */
export const cloudflareGatewayStatus = rule('cloudflareGatewayStatus', {
  each: gateways,
  emit: (key, read): StatusClaim | undefined => {
    const claim = read(gatewayStatus.emit, key);
    const state = presentOf(cloudflareStates, key, read);
    const plane = read(planeOfGateway, key);
    if (claim === undefined || state === undefined || plane === undefined) return undefined;
    const { plane: settled } = read(dataPlane.emit, plane);
    const { tunnel, tokenHash } = state.spec;
    return {
      apiVersion: 'cloudflare-gateway-controller.io/v1',
      kind: 'CloudflareGatewayStatus',
      ...splitKey(key),
      status: {
        conditions: claim.status['conditions'],
        tunnel: {
          name: settled.settings.tunnelName,
          ...(tunnel === undefined ? {} : { id: tunnel.id }),
          ...(tokenHash === undefined ? {} : { token: { hash: tokenHash } }),
        },
        inventory: inventory(plane, read),
      },
    };
  },
});

/** Every object that is made for the plane, by kind and name. */
function inventory(plane: string, read: Read): readonly object[] {
  const { plane: settled, objects, certificates } = read(dataPlane.emit, plane);
  const all = [
    ...objects,
    ...read(publishedTable.emit, plane).objects,
    ...read(publishedEndpoints.emit, plane).objects,
  ];
  const named = all.map(({ apiVersion, kind, metadata: { name } }) => ({ apiVersion, kind, name }));
  const secret = (name: string): (typeof named)[number] => ({ apiVersion: 'v1', kind: 'Secret', name });
  const shown = (certificates?.listeners ?? []).length === 0 ? [] : [secret(certificatesName(settled))];
  return [...named, secret(planeName(settled)), ...shown].toSorted((a, b) =>
    `${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1,
  );
}
