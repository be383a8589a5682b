/** Everything this Cloudflare holds, in memory; the record shapes are those the API shows. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';

export interface Zone {
  readonly id: string;
  readonly name: string;
  /** Any account sees a zone that names none. */
  readonly account?: string;
}

export interface Connection {
  readonly id: string;
  readonly client_id: string;
  readonly colo_name: string;
  readonly opened_at: string;
}

export interface Tunnel {
  readonly id: string;
  readonly account: string;
  name: string;
  readonly configSource: 'cloudflare' | 'local';
  /** Base64, as the API takes it. */
  secret: string;
  readonly createdAt: string;
  deletedAt?: string;
  connections: Connection[];
  config: Record<string, unknown> | null;
  version: number;
}

export interface DnsRecord {
  readonly id: string;
  readonly zoneId: string;
  name: string;
  type: string;
  content: string;
  proxied: boolean;
  ttl: number;
  comment: string | null;
  readonly createdOn: string;
  modifiedOn: string;
}

export interface State {
  readonly zones: Zone[];
  readonly tunnels: Tunnel[];
  readonly records: DnsRecord[];
}

export function emptyState(zones: readonly ZoneGiven[]): State {
  return { zones: zones.map(zoneOf), tunnels: [], records: [] };
}

/** A zone as given at start: its name, or its name and the one account that has it. */
export type ZoneGiven = string | { readonly name: string; readonly account: string };

function zoneOf(given: ZoneGiven): Zone {
  const { name, account } = typeof given === 'string' ? { name: given, account: undefined } : given;
  return { id: hexId(name), name, ...(account === undefined ? {} : { account }) };
}

/** 32 hex digits as zone ids have; the same for the same name, so that logs of two runs can be compared. */
function hexId(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

export function newRecordId(): string {
  return randomBytes(16).toString('hex');
}

export function newTunnel(
  account: string,
  name: string,
  given: { configSource: Tunnel['configSource']; secret?: string },
): Tunnel {
  return {
    id: randomUUID(),
    account,
    name,
    configSource: given.configSource,
    secret: given.secret ?? randomBytes(32).toString('base64'),
    createdAt: new Date().toISOString(),
    connections: [],
    config: null,
    version: 0,
  };
}

/** What a connector takes with `--token`: base64 of account, tunnel and secret. */
export function tokenOf(tunnel: Tunnel): string {
  return Buffer.from(JSON.stringify({ a: tunnel.account, t: tunnel.id, s: tunnel.secret })).toString('base64');
}

/** A live tunnel of the account by id. */
export function liveTunnel(state: State, account: string, id: string): Tunnel | undefined {
  return state.tunnels.find(
    (tunnel) => tunnel.id === id && tunnel.account === account && tunnel.deletedAt === undefined,
  );
}
