/**
 * An in-cluster door: one socket for all listeners of a port. The first bytes of a connection tell what it speaks: TLS, HTTP/2 with prior
 * knowledge, else HTTP/1.1. In TLS the name the client asks for chooses the certificate, ALPN the protocol.
 */
import type { Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { createDoor } from '../door.ts';
import type { Door, DoorOptions, HttpDoor } from '../door.ts';
import type { Arrival } from '../exchange.ts';
import type { PortCertificates } from './certificates.ts';
import { createHttp2Door } from './http2door.ts';

export interface ListenerDoorOptions extends DoorOptions {
  /** The port of the listeners, not the one listened on. */
  readonly port: number;
  readonly isTrusted: (address: string) => boolean;
  /** Asked for every TLS connection, as it changes while the door is open. */
  readonly certificates: () => PortCertificates;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const tlsHandshake = 0x16;
const handshakeMs = 10_000;

export function createListenerDoor(options: ListenerDoorOptions): HttpDoor {
  const arrivals = new WeakMap<Socket, Arrival>();
  const shared = { ...options, arrivalOf: (socket: Socket) => arrivals.get(socket) };
  const http1 = createDoor(shared);
  const http2 = createHttp2Door(shared);
  const waiting: Waiting = new Map();
  const arrive = (socket: Socket, more: Pick<Arrival, 'protocol' | 'serverName'>): void => {
    arrivals.set(socket, { port: options.port, isTrusted: options.isTrusted(socket.remoteAddress ?? ''), ...more });
  };

  const { server } = http1;
  const takers = server.listeners('connection');
  server.removeAllListeners('connection');
  const take = (socket: Socket): void => {
    for (const taker of takers) taker.call(server, socket);
  };
  const tls = createTls(options, (socket, serverName) => {
    waiting.delete(peerOf(socket));
    arrive(socket, { protocol: 'HTTPS', ...(serverName === '' ? {} : { serverName }) });
    if (socket.alpnProtocol === 'h2') http2.take(socket);
    else take(socket);
  });
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    waiting.set(peer, socket);
    const gone = (): void => void waiting.delete(peer);
    const broken = (): void => void socket.destroy();
    socket.once('close', gone).on('error', broken);
    whenTold(socket, (kind) => {
      if (kind === 'tls') return tls(socket);
      waiting.delete(peer);
      socket.off('close', gone).off('error', broken);
      arrive(socket, { protocol: 'HTTP' });
      return kind === 'http2' ? http2.take(socket) : take(socket);
    });
  });
  return { server, ...together(http1, http2, waiting) };
}

/** Connections that have not told yet what they speak, or are still at their TLS handshake, by peer. */
type Waiting = Map<string, Socket>;

/** The same for a connection and for the TLS on it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function together(http1: HttpDoor, http2: Door, waiting: Waiting): Door {
  const closeWaiting = (): void => {
    for (const socket of waiting.values()) socket.destroy();
  };
  return {
    inFlight: () => [...http1.inFlight(), ...http2.inFlight()],
    async close() {
      await Promise.all([http1.close(), http2.close()]);
    },
    closeIdle() {
      closeWaiting();
      http1.closeIdle();
      http2.closeIdle();
    },
    closeAll() {
      closeWaiting();
      http1.closeAll();
      http2.closeAll();
    },
  };
}

type Kind = 'tls' | 'http1' | 'http2';

/** Looks at the first bytes and puts them back. A connection that says nothing stays open: an idle one is never closed first. */
function whenTold(socket: Socket, tell: (kind: Kind) => void): void {
  const look = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) {
      if (!socket.readableEnded && !socket.destroyed) socket.once('readable', look);
      return;
    }
    socket.unshift(chunk);
    const kind = kindOf(chunk);
    if (kind === undefined) socket.once('readable', look);
    else tell(kind);
  };
  socket.once('readable', look);
}

/** Nothing while the bytes are only the beginning of a preface. */
function kindOf(chunk: Buffer): Kind | undefined {
  if (chunk[0] === tlsHandshake) return 'tls';
  const length = Math.min(chunk.length, preface.length);
  if (!chunk.subarray(0, length).equals(preface.subarray(0, length))) return 'http1';
  return length === preface.length ? 'http2' : undefined;
}

/** A function that begins TLS on a connection; `ready` gets it with the name that was asked for, empty for none. */
function createTls(
  { certificates }: ListenerDoorOptions,
  ready: (socket: TLSSocket, serverName: string) => void,
): (socket: Socket) => void {
  const server = createServer({
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: handshakeMs,
    SNICallback: (name, callback) => {
      const context = certificates().of(name.toLowerCase());
      if (context === undefined) callback(new Error(`no certificate for ${name}`));
      else callback(null, context);
    },
  });
  server.on('secureConnection', (socket) => {
    const name = typeof socket.servername === 'string' ? socket.servername.toLowerCase() : '';
    ready(socket, name);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  let unnamed: PortCertificates['unnamed'];
  return (socket) => {
    const now = certificates().unnamed;
    if (now !== unnamed) server.setSecureContext(now ?? {});
    unnamed = now;
    server.emit('connection', socket);
  };
}
