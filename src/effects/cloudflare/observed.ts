/** What Cloudflare holds, as read: every part is present, absent, or unknown with the problem that kept us from knowing. */
import type { Problem } from './problem.ts';

export type Seen<T> =
  | { readonly state: 'present'; readonly value: T }
  | { readonly state: 'absent' }
  | { readonly state: 'unknown'; readonly problem: Problem };

export interface Tunnel {
  readonly id: string;
  readonly name: string;
  /** Its document is kept by Cloudflare. A tunnel of which this is not so was made by somebody else. */
  readonly remote: boolean;
  /** Connections of connectors; while there are any it cannot be deleted. */
  readonly connections: number;
}

/** What a connector runs with. The text comes out by `reveal` only, so that no printer, log or JSON shows it. */
export interface TunnelToken {
  /** SHA-256 of the token, 64 hex digits. */
  readonly hash: string;
  reveal(): string;
}

export type IngressDocument = Readonly<Record<string, unknown>>;

export interface Zone {
  readonly id: string;
  readonly name: string;
}

export interface DnsRecord {
  readonly id: string;
  /** Lower case, ASCII form, no final dot. */
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly proxied: boolean;
}

export interface ZoneSeen extends Zone {
  /** Absent: nobody looked, because nothing of this plane can be there. */
  readonly records: Seen<readonly DnsRecord[]>;
}

/** Everything Cloudflare holds for one data plane. */
export interface CloudflareObserved {
  readonly tunnel: Seen<Tunnel>;
  /** Ids of deleted tunnels that had this plane's name: a record that points to one was ours. */
  readonly formerIds: readonly string[];
  readonly token: Seen<TunnelToken>;
  readonly document: Seen<IngressDocument>;
  /** Absent where the plane manages no DNS. */
  readonly zones: Seen<readonly ZoneSeen[]>;
}

/** The address that a record points to, and a Gateway's address. Source: gateway parameters, "Names". */
export function addressOf(tunnelId: string): string {
  return `${tunnelId}.cfargotunnel.com`;
}

export function known<T>(value: T): Seen<T> {
  return { state: 'present', value };
}
