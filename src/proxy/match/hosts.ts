/**
 * What a host leads to. The most specific name of the table that covers a host decides everything about it: which buckets
 * are tried and which listeners own it. So both are worked out once per name, and a request costs a look-up per label.
 */
import type { TableListener } from '../../table/document.ts';
import { anyHost, hostNames, listenersAt } from './isolation.ts';
import type { PathIndex } from './paths.ts';
import type { ListenerDoor } from './request.ts';

export interface HostChain {
  /** The name of the table this is the chain of. */
  readonly name: string;
  /** The buckets that cover the host, most specific first. */
  readonly buckets: readonly PathIndex[];
  readonly owners: ReadonlySet<string>;
}

export interface HostIndex {
  /** By host name as in the table: exact, `*.` wildcard or `*`. */
  readonly chains: ReadonlyMap<string, HostChain>;
  /** In-cluster doors by `<port> <protocol>`. */
  readonly doors: ReadonlyMap<string, DoorOwners>;
}

/** The listeners of one door. Who owns a name there is worked out when first asked: most names are never asked for at most doors. */
interface DoorOwners {
  readonly listeners: Listeners;
  readonly owners: Map<string, ReadonlySet<string>>;
}

/** Listener ids by hostname, then by Gateway. */
type Listeners = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Names between two pauses. */
const stepSize = 200;

export function* indexHosts(
  buckets: ReadonlyMap<string, PathIndex>,
  listeners: readonly TableListener[],
): Generator<void, HostIndex> {
  const byHostname = groupListeners(listeners);
  const chains = new Map<string, HostChain>();
  for (const name of new Set([...buckets.keys(), ...byHostname.keys()])) {
    const names = [...new Set(hostNames(name))];
    chains.set(name, {
      name,
      buckets: names.map((covering) => buckets.get(covering)).filter((bucket) => bucket !== undefined),
      owners: ownersAmong(names, byHostname),
    });
    if (chains.size % stepSize === 0) yield;
  }
  const doors = new Map<string, DoorOwners>();
  for (const door of listeners) {
    if (doors.has(doorKey(door))) continue;
    doors.set(doorKey(door), { listeners: groupListeners(listenersAt(door, listeners)), owners: new Map() });
  }
  return { chains, doors };
}

/** The chain of the most specific name that covers the host. */
export function chainOf({ chains }: HostIndex, host: string): HostChain | undefined {
  const exact = chains.get(host);
  if (exact !== undefined) return exact;
  for (let dot = host.indexOf('.', 1); dot !== -1; dot = host.indexOf('.', dot + 1)) {
    const wildcard = chains.get(`*${host.slice(dot)}`);
    if (wildcard !== undefined) return wildcard;
  }
  return chains.get(anyHost);
}

/** Who owns the hosts of a chain: at a door only listeners of that door. */
export function ownersAt(
  { doors }: HostIndex,
  chain: HostChain | undefined,
  door: ListenerDoor | undefined,
): ReadonlySet<string> {
  if (chain === undefined) return nobody;
  if (door === undefined) return chain.owners;
  const here = doors.get(doorKey(door));
  if (here === undefined) return nobody;
  let owners = here.owners.get(chain.name);
  if (owners === undefined) {
    owners = ownersAmong([...new Set(hostNames(chain.name))], here.listeners);
    here.owners.set(chain.name, owners);
  }
  return owners;
}

const nobody: ReadonlySet<string> = new Set();

function doorKey({ port, protocol }: ListenerDoor): string {
  return `${port} ${protocol}`;
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
