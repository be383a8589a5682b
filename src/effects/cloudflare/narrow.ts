/** The API's objects as far as we use them. What lacks the members we need is a bad answer, never a guess. */
import { badAnswer } from './curedfetch.ts';
import { normalName } from './hostnames.ts';
import type { DnsRecord, IngressDocument, Tunnel, Zone } from './observed.ts';
import type { Page } from './paging.ts';

/** A tunnel as listed: deleted ones stay in the list. */
export interface TunnelListed extends Tunnel {
  readonly deleted: boolean;
}

/** One page of the SDK, with the paging facts that its types leave out. */
export function narrowPage<T>(
  page: { readonly result: readonly unknown[]; readonly result_info: object },
  narrow: (item: unknown) => T,
): Page<T> {
  const info = page.result_info as { total_pages?: unknown; total_count?: unknown; per_page?: unknown };
  return {
    items: page.result.map(narrow),
    ...(typeof info.total_pages === 'number' ? { totalPages: info.total_pages } : {}),
    ...(typeof info.total_count === 'number' ? { totalCount: info.total_count } : {}),
    ...(typeof info.per_page === 'number' ? { perPage: info.per_page } : {}),
  };
}

export function narrowTunnel(item: unknown): TunnelListed {
  const tunnel = membersOf(item, 'a tunnel');
  const { connections, deleted_at: deletedAt } = tunnel;
  return {
    id: text(tunnel, 'id', 'a tunnel'),
    name: text(tunnel, 'name', 'a tunnel'),
    remote: tunnel.config_src === undefined ? tunnel.remote_config !== false : tunnel.config_src === 'cloudflare',
    deleted: typeof deletedAt === 'string' && !deletedAt.startsWith('0001-'),
    connections: Array.isArray(connections) ? connections.length : 0,
  };
}

export function narrowZone(item: unknown): Zone {
  const zone = membersOf(item, 'a zone');
  return { id: text(zone, 'id', 'a zone'), name: normalName(text(zone, 'name', 'a zone')) };
}

export function narrowRecord(item: unknown): DnsRecord {
  const record = membersOf(item, 'a DNS record');
  return {
    id: text(record, 'id', 'a DNS record'),
    name: normalName(text(record, 'name', 'a DNS record')),
    type: text(record, 'type', 'a DNS record').toUpperCase(),
    content: typeof record.content === 'string' ? record.content : '',
    proxied: record.proxied === true,
  };
}

/** The records that a batch made. */
export function narrowMade(item: unknown, count: number): readonly DnsRecord[] {
  const { posts } = membersOf(item, 'a batch');
  if (!Array.isArray(posts) || posts.length !== count)
    throw badAnswer(`a batch that does not tell of ${count} records`);
  return posts.map(narrowRecord);
}

export function narrowToken(item: unknown): string {
  if (typeof item !== 'string' || item === '') throw badAnswer('a token without text');
  return item;
}

/** A tunnel that never had a document has none or null. */
export function narrowDocument(item: unknown): IngressDocument {
  const { config } = membersOf(item, 'a document');
  return config === undefined || config === null ? {} : membersOf(config, 'a document');
}

function membersOf(item: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof item !== 'object' || item === null) throw badAnswer(`${what} that is no object`);
  return item as Readonly<Record<string, unknown>>;
}

function text(item: Readonly<Record<string, unknown>>, member: string, what: string): string {
  const value = item[member];
  if (typeof value !== 'string' || value === '') throw badAnswer(`${what} without ${member}`);
  return value;
}
