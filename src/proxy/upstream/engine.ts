import type { TableBackend } from '../../table/document.ts';
import type { Exchange } from '../exchange.ts';

/** Where an engine sends: one address with one protocol. */
export interface Destination {
  readonly protocol: TableBackend['protocol'];
  /** Name or address to dial; an IPv6 literal without brackets. */
  readonly host: string;
  readonly port: number;
  /** With TLS: the name in SNI and in the certificate, also where a pod's address is dialled; absent if the backend has no name. */
  readonly certificateName?: string;
}

/**
 * Sends requests to one destination and writes the answers. It answers every exchange given to it, by a response, a local answer or by
 * cutting the connection, and cancels the upstream request when the client goes away.
 */
export interface Upstream {
  readonly destination: Destination;
  send(exchange: Exchange): void;
  /** Lets what is in flight finish, then frees the connections. */
  close(): void;
}

/** How an engine reaches the world; tests give their own. */
export interface EngineOptions {
  readonly connectTimeoutMs: number;
  /** Age at which a connection takes no more requests, so that load spreads to new pods (field case B-47). */
  readonly connectionAgeMs: number;
}

export const engineDefaults: EngineOptions = { connectTimeoutMs: 5000, connectionAgeMs: 60_000 };

/** One key per destination: connections are shared by every rule that names it. */
export function destinationKey({ protocol, host, port, certificateName = '' }: Destination): string {
  return `${protocol}://${certificateName}@${host}:${port}`;
}
