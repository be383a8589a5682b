/** Hostnames of listeners and routes. Everywhere below, no hostname at all is written `*`. Source: Gateway API, HTTPRouteSpec.hostnames. */

/** The bucket of everything no hostname claims. */
export const anyHost = '*';

/**
 * The hosts a route answers through one listener: for each of its hostnames the narrower of the two where they overlap. Both
 * sides in lower case; empty where nothing overlaps.
 */
export function intersection(listener: string, route: readonly string[]): readonly string[] {
  const wanted = route.length === 0 ? [anyHost] : route;
  const hosts = wanted.map((hostname) => narrower(listener, hostname)).filter((host) => host !== undefined);
  return [...new Set(hosts)];
}

function narrower(listener: string, route: string): string | undefined {
  if (covers(listener, route)) return route;
  return covers(route, listener) ? listener : undefined;
}

/** True if every host that `narrow` stands for is one that `wide` stands for. A wildcard stands for one or more labels, never for its bare parent. */
export function covers(wide: string, narrow: string): boolean {
  if (wide === anyHost || wide === narrow) return true;
  if (!wide.startsWith('*.') || narrow === anyHost) return false;
  const suffix = wide.slice(1);
  const rest = narrow.startsWith('*.') ? narrow.slice(1) : narrow;
  return rest.length > suffix.length && rest.endsWith(suffix);
}
