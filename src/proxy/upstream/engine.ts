import type { Exchange } from '../exchange.ts';
import type { Destination } from './destination.ts';

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
