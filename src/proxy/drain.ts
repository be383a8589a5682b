/**
 * Draining: told by `/drain` before cloudflared stops, or by SIGTERM. Readiness goes, WebSockets are closed with 1001, answers ask to close
 * the connection, what is in flight finishes. A drain by `/drain` ends by itself after the grace period if nothing follows (decisions).
 */
import type { Server } from 'node:http';
import type { Logger } from '../observe/logger.ts';
import type { Pipeline } from './handle.ts';
import type { Accounts } from './metrics.ts';
import type { WebSockets } from './upstream/websocket.ts';

export interface Drain {
  readonly isDraining: boolean;
  /** Idempotent. With `isPassing` it ends by itself after the grace period. */
  begin(isPassing?: boolean): void;
  /** Drains, stops listening, and resolves once nothing is in flight or the time is up. */
  finish(graceMs: number): Promise<void>;
}

export interface DrainOptions {
  readonly pipeline: Pipeline;
  readonly door: Server;
  readonly webSockets: WebSockets;
  readonly accounts: Accounts;
  readonly graceMs: number;
  readonly logger: Logger;
}

/** How long a WebSocket peer may take to answer the close frame. */
const closeAnswerMs = 1000;
const sweepMs = 20;

export function createDrain({ pipeline, door, webSockets, accounts, graceMs, logger }: DrainOptions): Drain {
  let end: NodeJS.Timeout | undefined;
  const begin = (isPassing = false): void => {
    clearTimeout(end);
    if (isPassing) {
      end = setTimeout(() => {
        pipeline.isDraining = false;
        logger.info('drain ended: nothing followed within the grace period');
      }, graceMs).unref();
    }
    webSockets.goAway(Math.min(closeAnswerMs, graceMs));
    if (pipeline.isDraining) return;
    pipeline.isDraining = true;
    logger.info('draining', { inFlight: accounts.inFlight, webSockets: accounts.webSockets });
  };
  return {
    get isDraining() {
      return pipeline.isDraining;
    },
    begin,
    async finish(grace) {
      begin();
      const closed = new Promise<void>((resolve) => door.close(() => resolve()));
      // A connection that was kept alive by an answer from before the drain has no reason to stay once it is idle.
      const sweep = setInterval(() => door.closeIdleConnections(), sweepMs);
      const timeUp = setTimeout(() => {
        webSockets.destroyAll();
        door.closeAllConnections();
      }, grace);
      await closed;
      clearInterval(sweep);
      clearTimeout(timeUp);
    },
  };
}
