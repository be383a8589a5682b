/**
 * http-proxy-3 is the proxy library: `web()` takes every request, `ws()` every upgrade. Its own passes are never reached, because each has
 * a defect on the wire (reference, "Defects of the libraries we use"); one pass of ours stands in front of them and hands over to an engine.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createProxyServer } from 'http-proxy-3';
import type { Exchange } from './exchange.ts';
import { give } from './upstream/answer.ts';
import { failResponse } from './upstream/response.ts';
import type { Upstreams } from './upstream/upstreams.ts';
import type { WebSockets } from './upstream/websocket.ts';

const carried = Symbol('exchange');

/** A request that carries its exchange through the library. */
interface Carrying extends IncomingMessage {
  [carried]?: Exchange;
}

export function carry(req: IncomingMessage, exchange: Exchange): void {
  (req as Carrying)[carried] = exchange;
}

export function carriedBy(req: IncomingMessage): Exchange | undefined {
  return (req as Carrying)[carried];
}

export interface Passes {
  web(req: IncomingMessage, res: ServerResponse): void;
  ws(req: IncomingMessage, socket: Socket, head: Buffer): void;
}

/** The library asks for a target with every call; where a request goes is in its exchange. */
const options = { target: { host: 'upstream', port: 80 } };

export function createPasses(upstreams: Upstreams, webSockets: WebSockets): Passes {
  const proxy = createProxyServer({});
  proxy.before('web', 'deleteLength', (req: IncomingMessage) => {
    const exchange = carriedBy(req);
    if (exchange) sendWeb(upstreams, exchange);
    return true;
  });
  proxy.before(
    'ws',
    'checkMethodAndHeader',
    (req: IncomingMessage, _socket: Socket, _options: unknown, head?: Buffer) => {
      const exchange = carriedBy(req);
      if (exchange?.destination) webSockets.open(exchange, exchange.destination, head ?? Buffer.alloc(0));
      return true;
    },
  );
  proxy.on('error', (_error, req) => {
    const exchange = carriedBy(req);
    if (exchange) failResponse(exchange, 'other');
  });
  return {
    web: (req, res) => proxy.web(req, res, options),
    ws: (req, socket, head) => proxy.ws(req, socket, head, options),
  };
}

function sendWeb(upstreams: Upstreams, exchange: Exchange): void {
  if (exchange.reply || !exchange.destination) {
    give(
      exchange,
      exchange.reply ?? { kind: 'local', local: { status: 500, text: 'no backend available for this route' } },
    );
    return;
  }
  if (exchange.expectsContinue) exchange.res?.writeContinue();
  upstreams.to(exchange.destination).send(exchange);
}
