/**
 * The calls we make, on the official SDK; the only file that knows it. Beside `curedfetch.ts` and `paging.ts` its defects are cured here: it
 * repeats nothing by itself (a POST repeated after a time-out makes a second tunnel), it takes no credential from the environment,
 * it logs nothing (debug logs show headers), and its answers are narrowed to small types of ours.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BaseRecords } from 'cloudflare/resources/dns/records';
import { BaseCloudflared } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/cloudflared';
import { BaseConfigurations } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/configurations';
import { BaseConnections } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/connections';
import { BaseToken } from 'cloudflare/resources/zero-trust/tunnels/cloudflared/token';
import { BaseZones } from 'cloudflare/resources/zones/zones';
import { createClient as createSdk } from 'cloudflare/tree-shakable';
import { curedFetch } from './curedfetch.ts';
import type { FetchSettings } from './curedfetch.ts';
import {
  narrowDocument,
  narrowMade,
  narrowPage,
  narrowRecord,
  narrowToken,
  narrowTunnel,
  narrowZone,
} from './narrow.ts';
import type { TunnelListed } from './narrow.ts';
import type { DnsRecord, IngressDocument, TunnelToken, Zone } from './observed.ts';
import { allPages } from './paging.ts';
import { CloudflareFailure, problemOf } from './problem.ts';

/** Every method throws a CloudflareFailure and nothing else. */
export interface CloudflareClient {
  /** Live and deleted tunnels of exactly this name. */
  tunnelsNamed(name: string): Promise<readonly TunnelListed[]>;
  createTunnel(name: string): Promise<TunnelListed>;
  /** A tunnel that is gone already counts as deleted. */
  deleteTunnel(id: string): Promise<void>;
  clearConnections(id: string): Promise<void>;
  /** Gives the tunnel a new random secret of 32 bytes, and so a new token. */
  renewSecret(id: string): Promise<void>;
  token(id: string): Promise<TunnelToken>;
  document(id: string): Promise<IngressDocument>;
  writeDocument(id: string, document: IngressDocument): Promise<void>;
  zones(): Promise<readonly Zone[]>;
  records(zone: Zone): Promise<readonly DnsRecord[]>;
  /** Undefined where it is gone. */
  record(zone: Zone, id: string): Promise<DnsRecord | undefined>;
  /** Undefined where an identical record was there already. */
  createRecord(zone: Zone, hostname: string, address: string): Promise<DnsRecord | undefined>;
  updateRecord(zone: Zone, record: DnsRecord, address: string): Promise<DnsRecord>;
  /** A record that is gone already counts as deleted. */
  deleteRecord(zone: Zone, record: Pick<DnsRecord, 'id' | 'name'>): Promise<void>;
  /** All of them or none, in one call. */
  createRecords(zone: Zone, hostnames: readonly string[], address: string): Promise<readonly DnsRecord[]>;
  /** All of them or none, in one call. */
  deleteRecords(zone: Zone, records: readonly DnsRecord[]): Promise<void>;
}

export interface ClientSettings extends FetchSettings {
  readonly token: string;
  readonly accountId: string;
  readonly baseUrl: string;
  /** Milliseconds for a whole call, its body included. */
  readonly timeoutMs: number;
  /** Milliseconds before a read that failed is repeated, one number for each repetition. */
  readonly readRetries: readonly number[];
  readonly recordsPerPage: number;
}

/** Seen in the dashboard beside a record; ownership does not depend on it. */
const comment = 'cloudflare-gateway-controller';

export function createClient(settings: ClientSettings): CloudflareClient {
  const calls = callsOf(settings);
  const sdk = sdkOf(settings);
  return { ...tunnelCalls(sdk, settings, calls), ...recordCalls(sdk, settings, calls) };
}

type Sdk = ReturnType<typeof sdkOf>;

function sdkOf(settings: ClientSettings) {
  return createSdk({
    resources: [BaseCloudflared, BaseConfigurations, BaseConnections, BaseToken, BaseRecords, BaseZones],
    baseURL: settings.baseUrl,
    apiToken: settings.token,
    apiKey: null,
    apiEmail: null,
    userServiceKey: null,
    maxRetries: 0,
    timeout: settings.timeoutMs,
    logLevel: 'off',
    fetch: curedFetch(settings),
  });
}

interface Calls {
  /** Repeated when that may help: a read changes nothing. */
  readonly read: <T>(doing: string, call: () => Promise<T>) => Promise<T>;
  /** Made once. */
  readonly write: <T>(doing: string, call: () => Promise<T>) => Promise<T>;
}

const worthRepeating = new Set(['Unreachable', 'ServerError', 'BadAnswer']);

function callsOf({ token, readRetries }: ClientSettings): Calls {
  const write: Calls['write'] = async (doing, call) => {
    try {
      return await call();
    } catch (error) {
      throw new CloudflareFailure(problemOf(error, doing, token));
    }
  };
  return {
    write,
    async read(doing, call) {
      for (const wait of readRetries) {
        try {
          return await write(doing, call);
        } catch (error) {
          if (!(error instanceof CloudflareFailure) || !worthRepeating.has(error.problem.reason)) throw error;
          await sleep(wait);
        }
      }
      return write(doing, call);
    },
  };
}

type TunnelCalls = Pick<
  CloudflareClient,
  | 'tunnelsNamed'
  | 'createTunnel'
  | 'deleteTunnel'
  | 'clearConnections'
  | 'renewSecret'
  | 'token'
  | 'document'
  | 'writeDocument'
>;

function tunnelCalls(sdk: Sdk, { accountId }: ClientSettings, { read, write }: Calls): TunnelCalls {
  const { cloudflared } = sdk.zeroTrust.tunnels;
  const account = { account_id: accountId };
  return {
    async tunnelsNamed(name) {
      const found = await allPages(`tunnels named ${name}`, (page) =>
        read(`look up the tunnel ${name}`, async () =>
          narrowPage(await cloudflared.list({ ...account, name, page, per_page: 100 }), narrowTunnel),
        ),
      );
      return found.filter((tunnel) => tunnel.name === name);
    },
    createTunnel: (name) =>
      write(`create the tunnel ${name}`, async () =>
        narrowTunnel(await cloudflared.create({ ...account, name, config_src: 'cloudflare' })),
      ),
    deleteTunnel: (id) => write(`delete the tunnel ${id}`, () => orGone(cloudflared.delete(id, account))),
    clearConnections: (id) =>
      write(`remove the connections of the tunnel ${id}`, () => orGone(cloudflared.connections.delete(id, account))),
    renewSecret: (id) =>
      write(`give the tunnel ${id} a new secret`, async () => {
        await cloudflared.edit(id, { ...account, tunnel_secret: randomBytes(32).toString('base64') });
      }),
    token: (id) =>
      read(`read the token of the tunnel ${id}`, async () => {
        const text = narrowToken(await cloudflared.token.get(id, account));
        return { hash: createHash('sha256').update(text).digest('hex'), reveal: () => text };
      }),
    document: (id) =>
      read(`read the ingress document of the tunnel ${id}`, async () =>
        narrowDocument(await cloudflared.configurations.get(id, account)),
      ),
    writeDocument: (id, document) =>
      write(`write the ingress document of the tunnel ${id}`, async () => {
        await cloudflared.configurations.update(id, { ...account, config: document });
      }),
  };
}

type RecordCalls = Pick<
  CloudflareClient,
  'zones' | 'records' | 'record' | 'createRecord' | 'updateRecord' | 'deleteRecord' | 'createRecords' | 'deleteRecords'
>;

function recordCalls(sdk: Sdk, settings: ClientSettings, { read, write }: Calls): RecordCalls {
  const { records } = sdk.dns;
  const cname = (name: string, content: string) =>
    ({ type: 'CNAME', name, content, proxied: true, ttl: 1, comment }) as const;
  return {
    zones: () =>
      allPages('zones', (page) =>
        read('list the zones', async () =>
          narrowPage(await sdk.zones.list({ account: { id: settings.accountId }, page, per_page: 50 }), narrowZone),
        ),
      ),
    records: (zone) =>
      allPages(`DNS records of ${zone.name}`, (page) =>
        read(`list the DNS records of the zone ${zone.name}`, async () =>
          narrowPage(await records.list({ zone_id: zone.id, page, per_page: settings.recordsPerPage }), narrowRecord),
        ),
      ),
    record: (zone, id) =>
      undefinedIf('NotFound', () =>
        read(`read a DNS record of the zone ${zone.name}`, async () =>
          narrowRecord(await records.get(id, { zone_id: zone.id })),
        ),
      ),
    createRecord: (zone, hostname, address) =>
      undefinedIf(identical, () =>
        write(`create the CNAME ${hostname}`, async () =>
          narrowRecord(await records.create({ zone_id: zone.id, ...cname(hostname, address) })),
        ),
      ),
    updateRecord: (zone, record, address) =>
      write(`update the CNAME ${record.name}`, async () =>
        narrowRecord(await records.edit(record.id, { zone_id: zone.id, ...cname(record.name, address) })),
      ),
    deleteRecord: (zone, record) =>
      write(`delete the CNAME ${record.name}`, () => orGone(records.delete(record.id, { zone_id: zone.id }))),
    createRecords: (zone, hostnames, address) =>
      write(`create ${hostnames.length} CNAMEs in the zone ${zone.name}`, async () => {
        const posts = hostnames.map((hostname) => cname(hostname, address));
        return narrowMade(await records.batch({ zone_id: zone.id, posts }), hostnames.length);
      }),
    deleteRecords: (zone, going) =>
      write(`delete ${going.length} CNAMEs in the zone ${zone.name}`, async () => {
        await records.batch({ zone_id: zone.id, deletes: going.map(({ id }) => ({ id })) });
      }),
  };
}

/** The API's code for a record that is already as wanted. */
const identical = 81_058;

async function undefinedIf<T>(what: 'NotFound' | number, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof CloudflareFailure)) throw error;
    const { reason, codes } = error.problem;
    if (reason === what || codes.some((code) => code === what)) return undefined;
    throw error;
  }
}

/** Deleting what is gone is done. */
async function orGone(deletion: PromiseLike<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if ((error as { status?: unknown }).status !== 404) throw error;
  }
}
