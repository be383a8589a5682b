/**
 * A door for HTTP/1.1: the node:http server that cloudflared dials, and the same at the ports of listeners. Its settings follow reference
 * "cloudflared", §10: an idle connection is never closed first, no limit on requests or bodies, the parser refuses nothing that the gate is
 * there to refuse.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Exchange } from './exchange.ts';
import type { Arrival, ExchangeAccounts } from './exchange.ts';
import { watchHeads } from './gate/headwatch.ts';
import type { ConnectionState } from './gate/headwatch.ts';
import { parserHeadBytes } from './gate/limits.ts';
import { prepare, route } from './handle.ts';
import type { Pipeline } from './handle.ts';
import { carriedBy, carry } from './passes.ts';
import type { Passes } from './passes.ts';
import { rawAnswer, reasonPhrase } from './upstream/answer.ts';

const current = Symbol('exchange');

/** A connection knows the exchanges that are not answered yet, newest first: one listener per connection serves all of them. */
interface Connection extends Socket {
  [current]?: Exchange | undefined;
}

export interface DoorOptions {
  readonly pipeline: Pipeline;
  readonly passes: Passes;
  readonly accounts: ExchangeAccounts;
  /** Milliseconds a request head may take once it has begun. */
  readonly headMs?: number | undefined;
  /** How a connection came to an in-cluster door. */
  readonly arrivalOf?: (socket: Socket) => Arrival | undefined;
}

/** Where connections come in, as who drains the proxy sees it. */
export interface Door {
  /** Every exchange that is not answered to its end. */
  inFlight(): Iterable<Exchange>;
  /** Accepts nothing more; resolves when the last connection has gone. */
  close(): Promise<void>;
  /** Ends connections that carry no exchange. */
  closeIdle(): void;
  closeAll(): void;
}

/** A door with its server, which the caller tells where to listen. */
export interface HttpDoor extends Door {
  readonly server: Server;
}

export function createDoor({ pipeline, passes, accounts, headMs, arrivalOf }: DoorOptions): HttpDoor {
  const connections = new Set<Connection>();
  const begin = (req: IncomingMessage, res: ServerResponse | undefined): Exchange => {
    const exchange = new Exchange(req, res, accounts, arrivalOf?.(req.socket));
    carry(req, exchange);
    const connection = req.socket as Connection;
    const before = connection[current];
    if (before && !before.isFinished) exchange.earlier = before;
    connection[current] = exchange;
    route(pipeline, exchange);
    if (!exchange.reply) prepare(exchange);
    return exchange;
  };
  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    const exchange = carriedBy(req) ?? begin(req, res);
    exchange.res = res;
    passes.web(req, res);
  };

  const server = createServer(
    {
      keepAliveTimeout: 0,
      headersTimeout: 0,
      requestTimeout: 0,
      maxHeaderSize: parserHeadBytes,
      requireHostHeader: false,
      noDelay: true,
      keepAlive: true,
      optimizeEmptyRequests: true,
      insecureHTTPParser: false,
      // Any other upgrade is an ordinary request: the server may ignore the offer (RFC 9110 §7.8; field case B-54).
      shouldUpgradeCallback: (req: IncomingMessage) => isWebSocket(req) && leadsToWebSocket(begin(req, undefined)),
    },
    onRequest,
  );
  watchHeads(server, (socket) => stateOf((socket as Connection)[current]), headMs);
  server.maxHeadersCount = 0;
  server.maxRequestsPerSocket = 0;
  server.timeout = 0;
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  server.on('upgrade', (req: IncomingMessage, socket, head: Buffer) => passes.ws(req, socket as Socket, head));
  server.on('connect', (_req: IncomingMessage, socket) => refuseConnect(accounts, socket as Socket));
  server.on('connection', (socket: Connection) => {
    connections.add(socket);
    socket.on('close', () => {
      connections.delete(socket);
      clientGone(socket);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    clientError(accounts, error, socket as Connection),
  );
  return {
    server,
    inFlight: () => [...connections].flatMap(unfinished),
    ...closing(server),
  };
}

function closing(server: Server): Pick<Door, 'close' | 'closeIdle' | 'closeAll'> {
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
    closeIdle: () => server.closeIdleConnections(),
    closeAll: () => server.closeAllConnections(),
  };
}

function stateOf(newest: Exchange | undefined): ConnectionState {
  // An upgraded connection, which has no response object, stays busy: what it carries is no request head.
  const isBusy = newest !== undefined && (!newest.isFinished || !newest.req.complete || newest.res === undefined);
  return { newest, isBusy };
}

function isWebSocket(req: IncomingMessage): boolean {
  return req.method === 'GET' && req.headers.upgrade?.toLowerCase() === 'websocket';
}

function leadsToWebSocket(exchange: Exchange): boolean {
  return exchange.reply === undefined && exchange.takesUpgrades;
}

function unfinished(connection: Connection): Exchange[] {
  const found: Exchange[] = [];
  for (let exchange = connection[current]; exchange; exchange = exchange.earlier) {
    if (!exchange.isFinished) found.push(exchange);
  }
  return found;
}

function clientGone(connection: Connection): void {
  for (const exchange of unfinished(connection)) exchange.onClientGone?.();
  connection[current] = undefined;
}

/** What Node's parser refused: bytes that are no request, or a body whose framing broke. */
function clientError(accounts: ExchangeAccounts, error: NodeJS.ErrnoException, socket: Connection): void {
  const exchange = socket[current];
  const isAnswering = exchange !== undefined && !exchange.isFinished && exchange.res?.headersSent === true;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const isOverflow = error.code === 'HPE_HEADER_OVERFLOW';
  accounts.refuse(isOverflow ? 'field_bytes' : 'syntax');
  refuseRaw(socket, isOverflow ? 431 : 400);
}

function refuseConnect(accounts: ExchangeAccounts, socket: Socket): void {
  accounts.refuse('connect');
  refuseRaw(socket, 501);
}

function refuseRaw(socket: Socket, status: number): void {
  socket.on('error', () => {});
  socket.end(rawAnswer({ status, text: reasonPhrase(status).toLowerCase() }), () => socket.destroySoon());
}
