/**
 * Engine C: HTTP/2 in clear text with prior knowledge, for h2c and gRPC. One session per destination, which batches frames best; trailers
 * pass in both directions. The client side is chunked HTTP/1.1, as cloudflared carries gRPC to its origin.
 */
import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { LookupFunction } from 'node:net';
import type { Exchange } from '../exchange.ts';
import { authorityOf } from './address.ts';
import { startDeadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import type { Destination } from './destination.ts';
import type { EngineOptions, Upstream } from './engine.ts';
import { reasonOf } from './failure.ts';
import { endResponse, failResponse, hasGone, writeHead } from './response.ts';

const windowBytes = 1024 * 1024;
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_FLAG_END_STREAM } = constants;

export function h2cUpstream(destination: Destination, options: EngineOptions, lookup: LookupFunction): Upstream {
  let current: ClientHttp2Session | undefined;
  let bornAt = 0;
  const open = (): ClientHttp2Session => {
    const session = openSession(destination, options, lookup);
    const forget = (): void => {
      if (current === session) current = undefined;
    };
    session.once('goaway', forget).once('close', forget).once('error', forget);
    return session;
  };
  return {
    destination,
    send(exchange) {
      const isOld = performance.now() - bornAt > options.connectionAgeMs;
      if (current && isOld) {
        current.close();
        current = undefined;
      }
      if (!current || current.closed || current.destroyed) {
        current = open();
        bornAt = performance.now();
      }
      new Call(exchange, current).start();
    },
    close() {
      current?.close();
      current = undefined;
    },
  };
}

function openSession(destination: Destination, options: EngineOptions, lookup: LookupFunction): ClientHttp2Session {
  // `lookup` goes through to net.connect, which http2.connect calls with the same options.
  const through: object = { lookup, noDelay: true };
  const session = connect(`http://${authorityOf(destination)}`, {
    ...through,
    settings: { initialWindowSize: windowBytes, enablePush: false },
  });
  const timer = setTimeout(
    () => session.destroy(Object.assign(new Error('no HTTP/2 connection in time'), { code: 'ETIMEDOUT' })),
    options.connectTimeoutMs,
  );
  session.once('connect', () => {
    clearTimeout(timer);
    session.setLocalWindowSize(4 * windowBytes);
  });
  session.once('close', () => clearTimeout(timer));
  // Each stream reports the failure to its own exchange; without a listener here Node would end the process.
  session.on('error', () => {});
  return session;
}

/** One request as a stream. */
class Call {
  readonly exchange: Exchange;
  readonly session: ClientHttp2Session;
  deadline: Deadline | undefined;
  stream: ClientHttp2Stream | undefined;
  trailers: string[] = [];
  isOver = false;
  /** Content-Length of the answer, or -1. */
  length = -1;
  failure: Error | undefined;

  constructor(exchange: Exchange, session: ClientHttp2Session) {
    this.exchange = exchange;
    this.session = session;
  }

  start(): void {
    const { exchange } = this;
    if (exchange.deadline > 0) this.deadline = startDeadline(exchange.deadline, () => this.give('timeout'));
    exchange.onClientGone = () => this.give('canceled');
    try {
      const stream = this.session.request(requestFields(exchange), {
        endStream: !exchange.hasBody,
        waitForTrailers: exchange.isChunked,
      });
      this.stream = stream;
      this.listen(stream);
      if (exchange.hasBody) this.sendBody(stream);
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  listen(stream: ClientHttp2Stream): void {
    stream.on('response', (headers, flags, raw?: string[]) => {
      if (this.isOver) return;
      this.deadline?.stop();
      this.head(Number(headers[':status']), raw ?? []);
      if ((flags & NGHTTP2_FLAG_END_STREAM) === 0) process.nextTick(flushHead, this.exchange);
    });
    stream.on('data', (chunk: Buffer) => this.data(stream, chunk));
    stream.on('trailers', (_headers, _flags, raw?: string[]) => {
      this.trailers = raw ?? [];
    });
    stream.on('error', (error) => {
      this.failure = error;
    });
    stream.on('aborted', () => {
      this.failure ??= new Error('the backend reset the stream');
    });
    // A reset with CANCEL or NO_ERROR is no `error` event: only `close` tells, so everything is settled there.
    stream.on('close', () => this.closed(stream));
  }

  head(status: number, raw: readonly string[]): void {
    try {
      const fields: string[] = [];
      for (let index = 0; index < raw.length; index += 2) {
        const name = raw[index] ?? '';
        if (!name.startsWith(':')) fields.push(name, raw[index + 1] ?? '');
        if (name === 'content-length' && this.exchange.method !== 'HEAD') this.length = Number(raw[index + 1]);
      }
      writeHead(this.exchange, { status, reason: '', fields });
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  data(stream: ClientHttp2Stream, chunk: Buffer): void {
    const { exchange } = this;
    if (this.isOver) return;
    exchange.bytesOut += chunk.length;
    if (exchange.res?.write(chunk) === false) {
      stream.pause();
      exchange.res.once('drain', () => stream.resume());
    }
  }

  sendBody(stream: ClientHttp2Stream): void {
    const { req } = this.exchange;
    req.on('data', (chunk: Buffer) => {
      this.exchange.bytesIn += chunk.length;
    });
    stream.on('wantTrailers', () => {
      // Also without trailers: this is what ends the stream cleanly, where `close` would reset it.
      stream.sendTrailers(Object.fromEntries(trailerFields(req.rawTrailers)));
    });
    req.pipe(stream);
  }

  closed(stream: ClientHttp2Stream): void {
    if (this.isOver) return;
    if (!this.isWhole(stream)) {
      this.fail(this.failure ?? new Error('the backend closed the stream'));
      return;
    }
    this.release();
    endResponse(this.exchange, this.trailers);
  }

  /**
   * Whether the answer came to its end. A reset with NO_ERROR in the middle looks like an end to Node, so a declared length is compared;
   * without one only the content can tell, as a gRPC client does by the missing trailers.
   */
  isWhole(stream: ClientHttp2Stream): boolean {
    const { res, bytesOut } = this.exchange;
    if (this.failure !== undefined || stream.rstCode !== NGHTTP2_NO_ERROR || res?.headersSent !== true) return false;
    return this.length === -1 || res.statusCode === 304 || bytesOut === this.length;
  }

  fail(error: Error): void {
    if (this.isOver) return;
    this.release();
    failResponse(this.exchange, reasonOf(error));
  }

  /** Gives the call up for a reason of ours and tells the backend. */
  give(reason: 'timeout' | 'canceled'): void {
    if (this.isOver) return;
    this.release();
    failResponse(this.exchange, reason);
    this.stream?.close(NGHTTP2_CANCEL);
  }

  release(): void {
    this.isOver = true;
    this.deadline?.stop();
    this.exchange.onClientGone = undefined;
    if (this.stream) this.exchange.req.unpipe(this.stream);
  }
}

function flushHead(exchange: Exchange): void {
  if (exchange.bytesOut === 0 && !exchange.isFinished && !hasGone(exchange)) exchange.res?.flushHeaders();
}

/** Pseudo fields, then the field lines with names in lower case, as HTTP/2 wants them. */
function requestFields(exchange: Exchange): string[] {
  const fields = [
    ':method',
    exchange.method,
    ':path',
    exchange.outPath + exchange.search,
    ':scheme',
    'http',
    ':authority',
    exchange.outHost,
  ];
  const lines = exchange.fields;
  for (let index = 0; index < lines.length; index += 2)
    fields.push((lines[index] ?? '').toLowerCase(), lines[index + 1] ?? '');
  return fields;
}

function trailerFields(raw: readonly string[]): [string, string][] {
  const out: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2)
    out.push([(raw[index] ?? '').toLowerCase(), raw[index + 1] ?? '']);
  return out;
}
