/**
 * WebSocket handshakes with a backend that is marked for them: the request goes out on a connection of its own, a 101 is written as it came
 * and the sockets are joined; any other answer is relayed as an ordinary response. Seed: "WebSocket"; field cases B-53 to B-56.
 */
import { ServerResponse, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Exchange } from '../exchange.ts';
import { isHopByHop } from '../gate/hopbyhop.ts';
import { startDeadline } from './deadline.ts';
import type { Destination } from './destination.ts';
import { reasonOf } from './failure.ts';
import { endResponse, failResponse, writeHead } from './response.ts';
import { joinSockets } from './wssession.ts';
import type { WebSocketSession } from './wssession.ts';

export interface WebSockets {
  /** Sends the handshake of an exchange; `head` are bytes the client sent after it. */
  open(exchange: Exchange, destination: Destination, head: Buffer): void;
  /** Closes every session with 1001. */
  goAway(waitMs: number): void;
  destroyAll(): void;
}

export interface WebSocketLimits {
  /** Wait for the answer to a handshake where the rule has no timeout of its own. */
  readonly handshakeMs: number;
  /** A session without a byte either way for so long is ended. */
  readonly idleMs: number;
}

export interface WebSocketOptions extends WebSocketLimits {
  readonly lookup: LookupFunction;
}

export const webSocketDefaults: WebSocketLimits = { handshakeMs: 30_000, idleMs: 3_600_000 };

export function createWebSockets(options: WebSocketOptions): WebSockets {
  const sessions = new Set<WebSocketSession>();
  return {
    open: (exchange, destination, head) => new Handshake(exchange, destination, { options, sessions }).start(head),
    goAway: (waitMs) => {
      for (const session of sessions) session.goAway(waitMs);
    },
    destroyAll: () => {
      for (const session of sessions) session.destroy();
    },
  };
}

interface Surroundings {
  readonly options: WebSocketOptions;
  readonly sessions: Set<WebSocketSession>;
}

class Handshake {
  readonly exchange: Exchange;
  readonly destination: Destination;
  readonly around: Surroundings;
  isOver = false;
  stopWaiting: () => void = () => {};
  /** What the client sent before the backend had answered. */
  early: EarlyBytes | undefined;

  constructor(exchange: Exchange, destination: Destination, around: Surroundings) {
    this.exchange = exchange;
    this.destination = destination;
    this.around = around;
  }

  start(head: Buffer): void {
    const { exchange } = this;
    // From here on every failure of either socket has a listener: an unheard `error` would end the process (field case B-53).
    exchange.socket.on('error', () => exchange.onClientGone?.());
    this.early = keepEarlyBytes(exchange.socket, head, () => exchange.onClientGone?.());
    const upstream = this.request();
    const deadline = startDeadline(exchange.deadline > 0 ? exchange.deadline : this.around.options.handshakeMs, () => {
      this.fail('timeout');
      upstream.destroy();
    });
    this.stopWaiting = () => deadline.stop();
    exchange.onClientGone = () => {
      this.fail('canceled');
      upstream.destroy();
    };
    upstream.on('error', (error) => {
      const reason = reasonOf(error);
      this.fail(reason === 'timeout' || reason === 'tls' ? reason : reason === 'dial' ? 'ws_dial' : 'ws_handshake');
    });
    upstream.on('response', (response) => this.relay(response));
    upstream.on('upgrade', (response, socket, first) => {
      this.join(response, socket, first);
    });
    upstream.end();
  }

  request(): ClientRequest {
    const { exchange, destination, around } = this;
    const { fields, outHost } = exchange;
    fields.push('Host', outHost, 'Connection', 'Upgrade', 'Upgrade', 'websocket');
    const options = {
      host: destination.host,
      port: destination.port,
      method: 'GET',
      path: exchange.outPath + exchange.search,
      headers: fields,
      setHost: false,
      agent: false as const,
      lookup: around.options.lookup,
    };
    return destination.protocol === 'https'
      ? httpsRequest({ ...options, servername: destination.certificateName ?? '' })
      : httpRequest(options);
  }

  join(response: IncomingMessage, backend: Socket, first: Buffer): void {
    const { exchange, around } = this;
    const client = exchange.socket;
    if (this.isOver || client.destroyed) {
      backend.destroy();
      return;
    }
    if ((response.headers.upgrade ?? '').toLowerCase() !== 'websocket') {
      backend.destroy();
      this.fail('ws_handshake');
      return;
    }
    this.release();
    if (first.length > 0) backend.unshift(first);
    this.early?.giveBack();
    client.write(switchingHead(exchange, response), 'latin1');
    exchange.finish(101);
    exchange.accounts.webSockets += 1;
    const session = joinSockets(client, backend, around.options.idleMs, () => {
      exchange.accounts.webSockets -= 1;
      around.sessions.delete(session);
    });
    around.sessions.add(session);
  }

  /** The backend declined: its answer goes on as a response that ends the connection. */
  relay(response: IncomingMessage): void {
    const { exchange } = this;
    if (this.isOver) {
      response.destroy();
      return;
    }
    this.release();
    const res = attachResponse(exchange);
    exchange.onClientGone = () => {
      failResponse(exchange, 'canceled');
      response.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      exchange.bytesOut += chunk.length;
      if (!res.write(chunk)) response.pause();
    });
    res.on('drain', () => response.resume());
    response.on('end', () => endResponse(exchange, response.rawTrailers));
    response.on('error', () => failResponse(exchange, 'other'));
    writeHead(exchange, {
      status: response.statusCode ?? 502,
      reason: response.statusMessage ?? '',
      fields: response.rawHeaders,
    });
  }

  fail(reason: 'timeout' | 'canceled' | 'tls' | 'ws_dial' | 'ws_handshake'): void {
    if (this.isOver) return;
    this.release();
    if (!this.exchange.socket.destroyed) attachResponse(this.exchange);
    failResponse(this.exchange, reason);
  }

  release(): void {
    this.isOver = true;
    this.stopWaiting();
    this.exchange.onClientGone = undefined;
  }
}

interface EarlyBytes {
  /** Stops reading and puts the bytes back in front of what is still to come. */
  giveBack(): void;
}

const mostEarlyBytes = 64 * 1024;

/** Reads on while the backend has not answered: a client that goes away is only noticed by reading. */
function keepEarlyBytes(socket: Socket, head: Buffer, gone: () => void): EarlyBytes {
  const chunks = [head];
  let size = head.length;
  const onData = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostEarlyBytes) socket.pause();
  };
  socket.on('data', onData);
  socket.on('end', gone);
  return {
    giveBack() {
      socket.off('data', onData);
      socket.off('end', gone);
      socket.pause();
      if (size > 0) socket.unshift(Buffer.concat(chunks));
    },
  };
}

/**
 * A response object for a request that came as an upgrade: Node makes none, and has taken its own listeners off the socket.
 */
export function attachResponse(exchange: Exchange): ServerResponse {
  const { req, socket } = exchange;
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  exchange.res = res;
  exchange.closes = true;
  res.assignSocket(socket);
  socket.on('drain', () => res.emit('drain'));
  res.on('finish', () => {
    res.detachSocket(socket);
    socket.destroySoon();
  });
  return res;
}

/** The backend's 101 with its own fields, run through the response filters like any other answer. */
function switchingHead(exchange: Exchange, response: IncomingMessage): string {
  let fields: string[] = ['Connection', 'Upgrade', 'Upgrade', response.headers.upgrade ?? 'websocket'];
  const raw = response.rawHeaders;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (!isHopByHop(name)) fields.push(name, raw[index + 1] ?? '');
  }
  for (const filter of exchange.responseFilters) fields = filter(fields);
  let head = 'HTTP/1.1 101 Switching Protocols\r\n';
  for (let index = 0; index < fields.length; index += 2) head += `${fields[index]}: ${fields[index + 1]}\r\n`;
  return `${head}\r\n`;
}
