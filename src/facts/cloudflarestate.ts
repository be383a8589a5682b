import type { KubeObject } from './object.ts';

/**
 * What Cloudflare holds for a data plane, as it was last read: a fact like any other, under the key of the plane. Only the operator
 * has it; offline it is unknown.
 */
export interface CloudflareState extends KubeObject {
  readonly spec: {
    /** Left out while there is none, or it could not be read. */
    readonly tunnel?: { readonly id: string; readonly address: string };
    /** SHA-256 of the connector token, hex. */
    readonly tokenHash?: string;
    /** What became of each hostname that should have a record. */
    readonly hostnames: readonly HostnameRecord[];
    /** What went wrong, one sentence each; `terminal` ones wait for somebody to mend them. */
    readonly problems: readonly { readonly kind: 'transient' | 'terminal'; readonly message: string }[];
  };
}

/** One hostname: applied, or why not yet. */
export interface HostnameRecord {
  readonly hostname: string;
  readonly state: 'applied' | 'waiting' | 'conflict' | 'noZone' | 'failed';
  readonly message: string;
  /** The name points at the tunnel of another Gateway. */
  readonly otherTunnel?: true;
}
