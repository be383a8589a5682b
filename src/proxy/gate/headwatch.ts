/**
 * The time a request head may take (anchors C4: 10 s). Node's own `headersTimeout` also ends connections on which nothing has come yet, and
 * an idle connection must never be closed first; so this looks only at connections that have begun to send something and not finished it.
 */
import type { Server, Socket } from 'node:net';
import { rawAnswer } from '../upstream/answer.ts';

export const headDefaults = { headMs: 10_000 } as const;

/** What a connection is at: its newest request, whatever that is to the caller, and whether it is still being read or answered. */
export interface ConnectionState {
  readonly newest: unknown;
  readonly isBusy: boolean;
}

interface Watched {
  newest: unknown;
  /** Bytes read when the connection was last seen without anything begun. */
  idleBytes: number;
  /** Since when there have been more, 0 if there are none. */
  begunAt: number;
}

/** Watches the connections of a server until it closes. */
export function watchHeads(
  server: Server,
  stateOf: (socket: Socket) => ConnectionState,
  headMs: number = headDefaults.headMs,
): void {
  const watched = new Map<Socket, Watched>();
  server.on('connection', (socket: Socket) => {
    watched.set(socket, { newest: undefined, idleBytes: 0, begunAt: 0 });
    socket.once('close', () => watched.delete(socket));
  });
  const sweep = setInterval(() => {
    const tooOld = performance.now() - headMs;
    for (const [socket, before] of watched) look(socket, before, stateOf(socket), tooOld);
  }, headMs / 4).unref();
  server.once('close', () => clearInterval(sweep));
}

// A request that came and went between two looks shows by `newest`; only bytes that led to no request at all are a head that drags on.
function look(socket: Socket, before: Watched, { newest, isBusy }: ConnectionState, tooOld: number): void {
  if (isBusy || newest !== before.newest || socket.bytesRead === before.idleBytes) {
    before.newest = newest;
    before.idleBytes = socket.bytesRead;
    before.begunAt = 0;
  } else if (before.begunAt === 0) before.begunAt = performance.now();
  else if (before.begunAt < tooOld)
    socket.end(rawAnswer({ status: 408, text: 'request timeout' }), () => socket.destroySoon());
}
