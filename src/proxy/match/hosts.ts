/**
 * What a host leads to. The most specific name of the table that covers a host decides everything about it: which buckets
 * are tried and which listeners own it. So both are worked out once per name, and a request costs a look-up per label.
 */
import type { TableListener } from '../../table/document.ts';
import { anyHost, hostNames } from './isolation.ts';
import type { PathIndex } from './paths.ts';

export interface HostChain {
  /** The buckets that cover the host, most specific first. */
  readonly buckets: readonly PathIndex[];
  readonly owners: ReadonlySet<string>;
}

/** By host name as in the table: exact, `*.` wildcard or `*`. */
export type HostIndex = ReadonlyMap<string, HostChain>;

/** Listener ids by hostname, then by Gateway. */
type Listeners = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Names between two pauses. */
const stepSize = 200;

export function* indexHosts(
  buckets: ReadonlyMap<string, PathIndex>,
  listeners: readonly TableListener[],
): Generator<void, HostIndex> {
  const byHostname = groupListeners(listeners);
  const index = new Map<string, HostChain>();
  for (const name of new Set([...buckets.keys(), ...byHostname.keys()])) {
    const names = [...new Set(hostNames(name))];
    index.set(name, {
      buckets: names.map((covering) => buckets.get(covering)).filter((bucket) => bucket !== undefined),
      owners: ownersAmong(names, byHostname),
    });
    if (index.size % stepSize === 0) yield;
  }
  return index;
}

/** The chain of the most specific name that covers the host. */
export function chainOf(index: HostIndex, host: string): HostChain | undefined {
  const exact = index.get(host);
  if (exact !== undefined) return exact;
  for (let dot = host.indexOf('.', 1); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const wildcard = index.get(`*${host.slice(dot)}`);
    if (wildcard !== undefined) return wildcard;
  }
  return index.get(anyHost);
}

/** Of each Gateway the listeners with the most specific of these names. */
function ownersAmong(names: readonly string[], byHostname: Listeners): Set<string> {
  const owners = new Set<string>();
  const decided = new Set<string>();
  for (const name of names) {
    for (const [gateway, ids] of byHostname.get(name) ?? []) {
      if (decided.has(gateway)) continue;
      decided.add(gateway);
      for (const id of ids) owners.add(id);
    }
  }
  return owners;
}

function groupListeners(listeners: readonly TableListener[]): Listeners {
  const byHostname = new Map<string, Map<string, string[]>>();
  for (const { id, gateway, hostname = anyHost } of listeners) {
    const gateways = byHostname.get(hostname) ?? new Map<string, string[]>();
    byHostname.set(hostname, gateways);
    gateways.set(gateway, [...(gateways.get(gateway) ?? []), id]);
  }
  return byHostname;
}
