import { labels, managedBy } from '../../api/names.ts';
import { serviceName } from '../emit/objectnames.ts';
import { view } from '../engine/declare.ts';
import { cloudflareStates, gatewayClassConfigs, gateways, services } from './collections.ts';
import { classParameters } from './gatewayclass.ts';
import { presentOf } from './members.ts';
import { planeOf, planes } from './planes.ts';
import { placeOf, problem, type Problem } from './problem.ts';
import { sharingClass } from './sharingclass.ts';

/**
 * The hostname of a Gateway's tunnel where it can be told from what is written: a GatewayClassConfig names its tunnel, any other
 * tunnel has an id only once it is made, which the operator reads back. Seed: "spec.addresses accepts only the tunnel hostname".
 */
export const gatewayAddress = view('gatewayAddress', (key, read): string | undefined => {
  const shared = read(sharingClass, key);
  if (shared === undefined) return presentOf(cloudflareStates, key, read)?.spec.tunnel?.address;
  const parameters = read(classParameters, shared);
  if (parameters.kind !== 'GatewayClassConfig') return undefined;
  // The field is tunnelID in the cluster; the imported type spells it otherwise.
  const spec = presentOf(gatewayClassConfigs, parameters.name, read)?.spec as { tunnelID?: string } | undefined;
  return spec?.tunnelID === undefined ? undefined : `${spec.tunnelID}.cfargotunnel.com`;
});

/** A Gateway's address as its status has it. Spec: GatewayStatusAddress. */
export interface GatewayAddress {
  readonly type: 'IPAddress' | 'Hostname';
  readonly value: string;
}

/**
 * Addresses of the plane's Service, as the cluster gave them: none while it has given none, nothing where the plane has no Service. One
 * that is not ours only stands in the way.
 */
export const serviceAddresses = view('serviceAddresses', (plane, read): readonly GatewayAddress[] | undefined => {
  if (read(planes, plane).length === 0) return undefined;
  const { namespace, settings, ...names } = read(planeOf, plane);
  if (settings.service === undefined) return undefined;
  const service = presentOf(services, `${namespace}/${serviceName(names)}`, read);
  if (service?.metadata.labels?.[labels.managedBy] !== managedBy) return [];
  if (settings.service.type === 'LoadBalancer')
    return (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => [
      ...(ip === undefined ? [] : [{ type: 'IPAddress' as const, value: ip }]),
      ...(hostname === undefined ? [] : [{ type: 'Hostname' as const, value: hostname }]),
    ]);
  const { clusterIP = '' } = service.spec;
  return clusterIP === '' ? [] : [{ type: 'IPAddress', value: clusterIP }];
});

/** A hostname asked for that is not the tunnel's: served all the same, at the tunnel's. Seed: AddressNotUsable. */
export const addressProblem = view('addressProblem', (key, read): Problem | undefined => {
  const address = read(gatewayAddress, key);
  if (address === undefined) return undefined;
  const wanted = presentOf(gateways, key, read)?.spec.addresses ?? [];
  const isOther = (value: string | undefined): value is string => (value ?? '') !== '' && value !== address;
  const index = wanted.findIndex(({ type, value }) => type === 'Hostname' && isOther(value));
  if (index < 0) return undefined;
  return problem(
    placeOf('Gateway', key, 'spec', 'addresses', index, 'value'),
    'AddressNotUsable',
    `spec.addresses asks for ${wanted[index]?.value ?? ''}, and the Gateway is served at the hostname of its tunnel, ${address}; remove the value`,
  );
});
