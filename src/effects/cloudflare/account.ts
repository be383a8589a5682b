/** One account as seen with one API token: what it holds for a data plane, read once in five minutes and shared by all planes. */
import type { CloudflareClient } from './client.ts';
import { zoneOf } from './hostnames.ts';
import { createMemory } from './memory.ts';
import type { Memory, Patience } from './memory.ts';
import { addressOf, known } from './observed.ts';
import type {
  CloudflareObserved,
  DnsRecord,
  IngressDocument,
  Seen,
  Tunnel,
  TunnelToken,
  Zone,
  ZoneSeen,
} from './observed.ts';
import { CloudflareFailure } from './problem.ts';
import { isOurs } from './records.ts';
import type { TunnelLife } from './step.ts';

/** The tunnels of one name: the live one, if any, and the ids of those that were deleted. */
export interface TunnelsOfName {
  readonly live: Tunnel | undefined;
  readonly formerIds: readonly string[];
}

/** What is known of the account. The steps write into it what they wrote to Cloudflare. */
export interface AccountMemory {
  readonly tunnels: Memory<TunnelsOfName>;
  readonly tokens: Memory<TunnelToken>;
  readonly documents: Memory<IngressDocument>;
  readonly zones: Memory<readonly Zone[]>;
  /** By zone id. */
  readonly records: Memory<readonly DnsRecord[]>;
  /** By tunnel name: ids of zones in which a record of it was seen or made. */
  readonly holders: Map<string, Set<string>>;
  /** Names of tunnels for which all zones were searched since the start. */
  readonly searched: Set<string>;
}

export function createAccountMemory(settings: Parameters<typeof createMemory>[0]): AccountMemory {
  return {
    tunnels: createMemory(settings),
    tokens: createMemory(settings),
    documents: createMemory(settings),
    zones: createMemory(settings),
    records: createMemory(settings),
    holders: new Map(),
    searched: new Set(),
  };
}

export interface Account {
  readonly client: CloudflareClient;
  readonly memory: AccountMemory;
  readonly patience: Patience;
}

/** Never throws for what Cloudflare does: a part that cannot be read is unknown. */
export async function observe(account: Account, life: TunnelLife): Promise<CloudflareObserved> {
  const tunnels = await seen(() => tunnelsOf(account, life.desired.tunnel.name));
  if (tunnels.state !== 'present') return { ...blank, tunnel: tunnels };
  const { live, formerIds } = tunnels.value;
  if (live !== undefined && !live.remote) return { ...blank, tunnel: known(live), formerIds };
  const going = life.gone !== undefined;
  return {
    tunnel: live === undefined ? { state: 'absent' } : known(live),
    formerIds,
    token: live === undefined || going ? { state: 'absent' } : await seen(() => tokenOf(account, live.id)),
    document: live === undefined || going ? { state: 'absent' } : await seen(() => documentOf(account, live.id)),
    zones: life.desired.records.mode === 'off' ? { state: 'absent' } : await zonesSeen(account, life, tunnels.value),
  };
}

const blank: CloudflareObserved = {
  tunnel: { state: 'absent' },
  formerIds: [],
  token: { state: 'absent' },
  document: { state: 'absent' },
  zones: { state: 'absent' },
};

function tunnelsOf(account: Account, name: string): Promise<TunnelsOfName> {
  return account.memory.tunnels.get(name, () =>
    account.patience.attempt(`tunnels ${name}`, () => lookUp(account, name)),
  );
}

async function lookUp({ client }: Account, name: string): Promise<TunnelsOfName> {
  const all = await client.tunnelsNamed(name);
  return {
    live: all.find(({ deleted }) => !deleted),
    formerIds: all.filter(({ deleted, remote }) => deleted && remote).map(({ id }) => id),
  };
}

/** For a step: what is remembered, or looked up without patience where the memory ended since the plan was made. */
export function tunnelsByName(account: Account, name: string): Promise<TunnelsOfName> {
  return account.memory.tunnels.get(name, () => lookUp(account, name));
}

function tokenOf({ client, memory, patience }: Account, id: string): Promise<TunnelToken> {
  return memory.tokens.get(id, () => patience.attempt(`token ${id}`, () => client.token(id)));
}

function documentOf({ client, memory, patience }: Account, id: string): Promise<IngressDocument> {
  return memory.documents.get(id, () => patience.attempt(`document ${id}`, () => client.document(id)));
}

/** An empty list is asked for twice before it is believed: everything would go on its word. Field case B-06. */
function zonesOf({ client, memory, patience }: Account): Promise<readonly Zone[]> {
  return memory.zones.get('all', () =>
    patience.attempt('zones', async () => {
      const zones = await client.zones();
      return zones.length > 0 ? zones : client.zones();
    }),
  );
}

async function zonesSeen(
  account: Account,
  life: TunnelLife,
  tunnels: TunnelsOfName,
): Promise<Seen<readonly ZoneSeen[]>> {
  const zones = await seen(() => zonesOf(account));
  if (zones.state !== 'present') return zones;
  const { name } = life.desired.tunnel;
  const holders = account.memory.holders.get(name) ?? new Set();
  const named = new Set(life.desired.records.hostnames.map((hostname) => zoneOf(hostname, zones.value)?.id));
  const search = mustSearch(account, life, tunnels);
  const result: ZoneSeen[] = [];
  for (const zone of zones.value) {
    const certain = named.has(zone.id) || holders.has(zone.id);
    const records: ZoneSeen['records'] =
      certain || search ? await seen(() => recordsOf(account, zone)) : { state: 'absent' };
    // A zone where this token may not even read cannot hold a record that it made.
    const closed = !certain && records.state === 'unknown' && records.problem.reason === 'CredentialRefused';
    result.push({ ...zone, records: closed ? { state: 'absent' } : records });
  }
  noteHolders(account, name, { zones: result, tunnels });
  if (search && result.every(({ records }) => records.state !== 'unknown')) account.memory.searched.add(name);
  return known(result);
}

/**
 * Records for hostnames of long ago may be in any zone, so all zones are read at the first look after a start and before the last, and
 * only those that matter in between. A tunnel that has never been has no records.
 */
function mustSearch({ memory }: Account, life: TunnelLife, { live, formerIds }: TunnelsOfName): boolean {
  const { name } = life.desired.tunnel;
  if (live === undefined && formerIds.length === 0) {
    memory.searched.add(name);
    return false;
  }
  return life.gone !== undefined || !memory.searched.has(name);
}

function recordsOf({ client, memory, patience }: Account, zone: Zone): Promise<readonly DnsRecord[]> {
  return memory.records.get(zone.id, () => patience.attempt(`records ${zone.id}`, () => client.records(zone)));
}

interface Sight {
  readonly zones: readonly ZoneSeen[];
  readonly tunnels: TunnelsOfName;
}

function noteHolders({ memory }: Account, name: string, { zones, tunnels }: Sight): void {
  const address = tunnels.live === undefined ? undefined : addressOf(tunnels.live.id);
  const formerAddresses = tunnels.formerIds.map(addressOf);
  for (const { id, records } of zones) {
    if (records.state === 'present' && records.value.some((record) => isOurs(record, { address, formerAddresses }))) {
      noteHolder(memory, name, id);
    }
  }
}

/** This zone is read for this tunnel from now on, whatever hostnames are wanted. */
export function noteHolder({ holders }: AccountMemory, name: string, zoneId: string): void {
  const zones = holders.get(name) ?? new Set();
  holders.set(name, zones.add(zoneId));
}

async function seen<T>(read: () => Promise<T>): Promise<Seen<T>> {
  try {
    return known(await read());
  } catch (error) {
    if (error instanceof CloudflareFailure) return { state: 'unknown', problem: error.problem };
    throw error;
  }
}
