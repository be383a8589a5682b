/**
 * Listener isolation: a request belongs to the most specific listener of each Gateway that matches its host, and only
 * routes attached to that listener may answer. Through the tunnel no port is known and none is compared; at an in-cluster door
 * only the listeners of its port are there at all. Source: seed limitations, "Listener isolation"; spec, Gateway.listeners.
 */
import type { TableListener } from '../../table/document.ts';
import type { ListenerDoor } from './request.ts';

/** The host bucket of a listener, and of a listener without a hostname. */
export const anyHost = '*';

/**
 * Names under which a host may be listed, most specific first: itself, `*.` and each parent, `*`. A wildcard stands for one
 * or more labels, never for none.
 */
export function hostNames(host: string): string[] {
  const names = [host];
  for (let dot = host.indexOf('.', 1); dot !== -1; dot = host.indexOf('.', dot + 1)) names.push(`*${host.slice(dot)}`);
  names.push(anyHost);
  return names;
}

/** The listeners that can be reached at a door, or at the tunnel door, which is none of them. */
export function listenersAt(
  door: ListenerDoor | undefined,
  listeners: readonly TableListener[],
): readonly TableListener[] {
  if (door === undefined) return listeners;
  return listeners.filter(({ port, protocol }) => port === door.port && protocol === door.protocol);
}

/** The listeners that own a host: of every Gateway those with the most specific hostname that matches it. */
export function ownersOf(host: string, listeners: readonly TableListener[]): Set<string> {
  const names = hostNames(host);
  const bestRank = new Map<string, number>();
  for (const listener of listeners) {
    const rank = names.indexOf(listener.hostname ?? anyHost);
    if (rank !== -1 && rank < (bestRank.get(listener.gateway) ?? Number.POSITIVE_INFINITY))
      bestRank.set(listener.gateway, rank);
  }
  const owners = listeners.filter(
    (listener) => names.indexOf(listener.hostname ?? anyHost) === bestRank.get(listener.gateway),
  );
  return new Set(owners.map((listener) => listener.id));
}
