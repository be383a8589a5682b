/**
 * Draining: told by `/drain` before cloudflared stops, or by SIGTERM. Readiness goes, WebSockets are closed with 1001, answers ask to close
 * the connection, what is in flight finishes; after half of the grace period event streams and gRPC calls that go on are ended, as their
 * clients come back, by then to another pod. A drain by `/drain` ends by itself after the grace period if nothing follows (decisions).
 */
import type { Logger } from '../observe/logger.ts';
import type { Door } from './door.ts';
import type { Pipeline } from './handle.ts';
import type { ExchangeAccounts } from './exchange.ts';
import { endEndless } from './upstream/response.ts';
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
  readonly doors: readonly Door[];
  readonly webSockets: WebSockets;
  readonly accounts: ExchangeAccounts;
  readonly graceMs: number;
  readonly logger: Logger;
}

/** How long a WebSocket peer may take to answer the close frame. */
const closeAnswerMs = 1000;
const sweepMs = 20;

export function createDrain({ pipeline, doors, webSockets, accounts, graceMs, logger }: DrainOptions): Drain {
  let end: NodeJS.Timeout | undefined;
  let half: NodeJS.Timeout | undefined;
  const endStreams = (): void => {
    webSockets.goAway(closeAnswerMs);
    for (const door of doors) for (const exchange of door.inFlight()) endEndless(exchange);
  };
  const begin = (isPassing = false): void => {
    clearTimeout(end);
    clearTimeout(half);
    half = setTimeout(endStreams, graceMs / 2).unref();
    if (isPassing) {
      end = setTimeout(() => {
        pipeline.isDraining = false;
        clearTimeout(half);
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
      const closed = Promise.all(doors.map((door) => door.close()));
      // A connection that was kept alive by an answer from before the drain has no reason to stay once it is idle.
      const sweep = setInterval(() => {
        for (const door of doors) door.closeIdle();
      }, sweepMs);
      const halfTime = setTimeout(endStreams, grace / 2);
      const timeUp = setTimeout(() => {
        webSockets.destroyAll();
        for (const door of doors) door.closeAll();
      }, grace);
      await closed;
      clearInterval(sweep);
      for (const timer of [timeUp, halfTime, half, end]) clearTimeout(timer);
    },
  };
}
