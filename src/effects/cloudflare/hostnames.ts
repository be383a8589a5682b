/** Names as DNS compares them, and the zone a name belongs to. Source: field cases B-70, B-71. */
import { domainToASCII } from 'node:url';
import type { Zone } from './observed.ts';

/** Lower case, ASCII form, without the final dot. */
export function normalName(name: string): string {
  const plain = name.endsWith('.') ? name.slice(0, -1) : name;
  const ascii = domainToASCII(plain);
  return ascii === '' ? plain.toLowerCase() : ascii;
}

/** The zone with the longest name that is the hostname or a parent of it, by whole labels. */
export function zoneOf<Z extends Zone>(hostname: string, zones: readonly Z[]): Z | undefined {
  const byName = new Map(zones.map((zone) => [normalName(zone.name), zone]));
  let name = normalName(hostname);
  for (;;) {
    const zone = byName.get(name);
    if (zone !== undefined) return zone;
    const dot = name.indexOf('.');
    if (dot === -1) return undefined;
    name = name.slice(dot + 1);
  }
}
