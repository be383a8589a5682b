/**
 * Listener isolation: a request belongs to the most specific listener of each Gateway that matches its host, and only
 * routes attached to that listener may answer. Ports are not compared: through the tunnel none is known.
 * Source: seed limitations, "Listener isolation".
 */
import type { TableListener } from '../../table/document.ts';

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
