/** HTTP/2 at an in-cluster door: every stream is an exchange of the same pipeline as a request of HTTP/1.1. */
import { createServer } from 'node:http2';
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Door, DoorOptions } from '../door.ts';
import { Exchange } from '../exchange.ts';
import type { Arrival } from '../exchange.ts';
import { limits, parserHeadBytes } from '../gate/limits.ts';
import { prepare, route } from '../handle.ts';
import { carry } from '../passes.ts';
import { streamRequest } from './streamrequest.ts';
import { streamResponse, streamSocket } from './streamresponse.ts';

/** Takes connections that have been found to speak HTTP/2. */
export interface Http2Door extends Door {
  take(socket: Socket): void;
}

interface Connection {
  readonly door: Arrival | undefined;
  readonly open: Set<Exchange>;
}

const maxConcurrentStreams = 250;

export function createHttp2Door({ pipeline, passes, accounts, arrivalOf }: DoorOptions): Http2Door {
  const sessions = new Map<Http2Session, Connection>();
  /** Of the connection that is being taken. */
  let arrival: Arrival | undefined;
  const server = createServer({
    maxHeaderListPairs: limits.tunnel.fieldCount,
    settings: { maxHeaderListSize: parserHeadBytes, maxConcurrentStreams, initialWindowSize: 1024 * 1024 },
  });
  server.on('session', (session) => {
    sessions.set(session, { door: arrival, open: new Set() });
    session.on('error', () => {});
    session.on('close', () => sessions.delete(session));
  });
  const begin = (stream: ServerHttp2Stream, raw: readonly string[]): void => {
    stream.on('error', () => {});
    const { session } = stream;
    const connection = session && sessions.get(session);
    if (session === undefined || connection === undefined) return;
    const req = streamRequest(stream, raw, streamSocket(stream, session.socket));
    const res = streamResponse(stream, req.method === 'HEAD');
    if (req.method === 'CONNECT') {
      accounts.refuse('connect');
      res.writeHead(501, []).end();
      return;
    }
    const exchange = new Exchange(req, res, accounts, connection.door);
    carry(req, exchange);
    connection.open.add(exchange);
    stream.on('close', () => {
      connection.open.delete(exchange);
      if (!exchange.isFinished) exchange.onClientGone?.();
    });
    route(pipeline, exchange);
    if (!exchange.reply) prepare(exchange);
    passes.web(req, res);
  };
  server.on('stream', (stream, _fields, _flags, raw: string[]) => begin(stream as ServerHttp2Stream, raw));
  return {
    take(socket) {
      arrival = arrivalOf?.(socket);
      server.emit('connection', socket);
    },
    inFlight: () => [...sessions.values()].flatMap(({ open }) => [...open].filter(({ isFinished }) => !isFinished)),
    async close() {
      const ended = [...sessions.keys()].map((session) => new Promise<void>((resolve) => session.close(resolve)));
      await Promise.all(ended);
    },
    closeIdle() {
      for (const [session, { open }] of sessions) if (open.size === 0) session.close();
    },
    closeAll() {
      for (const session of sessions.keys()) session.destroy();
    },
  };
}
