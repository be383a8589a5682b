import { index, view } from '../engine/declare.ts';
import type { ListenerPort, Plane } from '../plane.ts';
import { gateways, settings } from './collections.ts';
import { gatewayAccepted, gatewayOwnership } from './gateway.ts';
import { listeners } from './listener.ts';
import { memberOf, presentOf, splitKey } from './members.ts';
import { planeSettings } from './parameters.ts';
import { sharingClass } from './sharingclass.ts';

/**
 * The plane that serves a Gateway: its own, or the one all Gateways of a class with a GatewayClassConfig share. None where the
 * Gateway is not ours or is refused. Source: DESIGN, "What a Gateway becomes".
 */
export const planeOfGateway = view('planeOfGateway', (key, read): string | undefined => {
  if (read(gatewayOwnership, key) !== 'ours') return undefined;
  if (read(gatewayAccepted, key).status !== 'True') return undefined;
  const shared = read(sharingClass, key);
  return shared === undefined ? key : `${memberOf(settings, 'settings', read).spec.controllerNamespace}/${shared}`;
});

/** Gateways by the plane that serves them; the keys of this index are the planes there are. */
export const planes = index('planes', gateways, (key, read) => {
  const plane = read(planeOfGateway, key);
  return plane === undefined ? [] : [plane];
});

/** The plane itself. Its settings are those of its first Gateway; in a shared plane all of them have the same. */
export const planeOf = view('plane', (id, read): Plane => {
  const served = read(planes, id);
  const first = served[0] ?? id;
  const gateway = presentOf(gateways, first, read);
  // What several Gateways share is none's to label.
  const infrastructure = read(sharingClass, first) === undefined ? gateway?.spec.infrastructure : undefined;
  const parameters = read(planeSettings, first).settings;
  if (parameters === undefined) throw new Error(`plane ${id} has no settings`);
  return {
    id,
    ...splitKey(id),
    gatewayClassName: gateway?.spec.gatewayClassName ?? '',
    gateways: served,
    labels: infrastructure?.labels ?? {},
    annotations: infrastructure?.annotations ?? {},
    ports: read(planePorts, id),
    settings: parameters,
  };
});

/** Where Gateways that share a plane differ about what a port speaks, it speaks both: the proxy tells TLS by its first byte. */
const planePorts = view('planePorts', (id, read): readonly ListenerPort[] => {
  const ports = new Map<number, ListenerPort>();
  for (const gateway of read(planes, id))
    for (const { accepted, port, protocol } of read(listeners, gateway))
      if (accepted.status === 'True' && !ports.has(port))
        ports.set(port, { port, protocol: protocol === 'HTTPS' ? 'HTTPS' : 'HTTP' });
  return [...ports.values()].toSorted((a, b) => a.port - b.port);
});
