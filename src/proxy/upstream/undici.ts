/**
 * Engine A: HTTP/1.1, clear text and TLS, on one undici pool per destination. Field lines go in and come out as flat lists, so spelling,
 * order and duplicates survive; undici frames the body anew, which cures the smuggling by DELETE and OPTIONS (field case B-03).
 */
import { Pool, buildConnector } from 'undici';
import type { Dispatcher } from 'undici';
import type { LookupFunction } from 'node:net';
import type { Exchange } from '../exchange.ts';
import { authorityOf } from './address.ts';
import { startDeadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import type { Destination } from './destination.ts';
import type { EngineOptions, Upstream } from './engine.ts';
import { reasonOf, wasReused } from './failure.ts';
import { endResponse, failResponse, hasGone, writeHead } from './response.ts';

/** Sent again once if a reused connection turns out to be dead: methods that may be repeated and carry no body (decisions, "Requests"). */
const repeatable = new Set(['GET', 'HEAD', 'OPTIONS']);

export function undiciUpstream(destination: Destination, options: EngineOptions, lookup: LookupFunction): Upstream {
  // The same for every request, or undici would take it from the client's Host and dial anew for each other host.
  const servername = destination.protocol === 'https' ? (destination.certificateName ?? destination.host) : undefined;
  let pool = openPool(destination, options, lookup);
  let bornAt = performance.now();
  return {
    destination,
    send(exchange) {
      // The pool as a whole is replaced by age; undici's own limit per connection costs a look at every one for every request.
      if (exchange.started - bornAt > options.connectionAgeMs) {
        closeSoftly(pool);
        pool = openPool(destination, options, lookup);
        bornAt = exchange.started;
      }
      dispatch(pool, exchange, servername);
    },
    close: () => closeSoftly(pool),
  };
}

function openPool(destination: Destination, options: EngineOptions, lookup: LookupFunction): Pool {
  const scheme = destination.protocol === 'https' ? 'https' : 'http';
  return new Pool(`${scheme}://${authorityOf(destination)}`, {
    connect: taggingConnector(destination, options, lookup),
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4000,
    maxHeaderSize: 256 * 1024,
  });
}

/** What is in flight on the pool finishes; then its connections close. */
function closeSoftly(pool: Pool): void {
  pool.close().catch(() => {});
}

/**
 * Marks errors of a connection with what had been read from it, because that tells a dead reused connection from one that never worked.
 */
function taggingConnector(
  { certificateName }: Destination,
  options: EngineOptions,
  lookup: LookupFunction,
): buildConnector.connector {
  const connect = buildConnector({ timeout: options.connectTimeoutMs, lookup, allowH2: false, noDelay: true });
  return ({ servername: _ours, ...target }, callback) =>
    connect(
      { ...target, ...(certificateName === undefined ? {} : { servername: certificateName }) },
      (error, socket) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        socket.on('error', (failure: Error & { bytesRead?: number }) => {
          failure.bytesRead = socket.bytesRead;
        });
        callback(null, socket);
      },
    );
}

function dispatch(pool: Pool, exchange: Exchange, servername: string | undefined): void {
  exchange.fields.push('Host', exchange.outHost);
  new Attempt(pool, exchange, servername).start(false);
}

const noTrailers: readonly string[] = [];

/** One request on its way to a backend; the object undici reports to. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly pool: Pool;
  readonly exchange: Exchange;
  readonly servername: string | undefined;
  controller: Dispatcher.DispatchController | undefined;
  deadline: Deadline | undefined;
  /** Some byte of the answer has come. */
  isAnswered = false;
  isOver = false;
  isRepeat = false;
  isWaiting = false;

  constructor(pool: Pool, exchange: Exchange, servername: string | undefined) {
    this.pool = pool;
    this.exchange = exchange;
    this.servername = servername;
  }

  start(isRepeat: boolean): void {
    const { exchange } = this;
    this.isRepeat = isRepeat;
    if (exchange.deadline > 0 && !this.deadline) this.deadline = startDeadline(exchange.deadline, this.onDeadline);
    exchange.onClientGone = this.onClientGone;
    const request = {
      path: exchange.outPath + exchange.search,
      method: exchange.method,
      headers: exchange.fields,
      body: exchange.hasBody ? exchange.req : null,
      ...(this.servername === undefined ? undefined : { servername: this.servername }),
    };
    try {
      this.pool.dispatch(request, this);
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new Error('the exchange is over'));
  }

  onBodySent(chunk: Buffer): void {
    this.exchange.bytesIn += chunk.length;
  }

  onResponseStarted(): void {
    this.isAnswered = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _parsed: unknown, reason?: string): void {
    if (status < 200 || this.isOver) return;
    this.deadline?.stop();
    writeHead(this.exchange, { status, reason: reason ?? '', fields: texts(controller.rawHeaders) });
    process.nextTick(flushIfIdle, this.exchange);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { exchange } = this;
    exchange.bytesOut += chunk.length;
    if (exchange.res?.write(chunk) === false && !this.isWaiting) {
      this.isWaiting = true;
      controller.pause();
      exchange.res.once('drain', () => {
        this.isWaiting = false;
        controller.resume();
      });
    }
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.release();
    const trailers = controller.rawTrailers;
    endResponse(this.exchange, Array.isArray(trailers) && trailers.length > 0 ? texts(trailers) : noTrailers);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.isOver) return;
    if (this.mayRepeat(error)) {
      this.start(true);
      return;
    }
    this.fail(error);
  }

  /** Decisions: once more on a fresh connection, if a reused one failed before any byte of an answer. */
  mayRepeat(error: Error): boolean {
    const { exchange } = this;
    if (this.isRepeat || this.isAnswered || exchange.hasBody || !repeatable.has(exchange.method)) return false;
    return wasReused(error) && !hasGone(exchange);
  }

  fail(error: Error): void {
    this.release();
    failResponse(this.exchange, reasonOf(error));
  }

  release(): void {
    this.isOver = true;
    this.deadline?.stop();
    this.exchange.onClientGone = undefined;
  }

  readonly onDeadline = (): void => {
    if (this.isOver) return;
    this.release();
    failResponse(this.exchange, 'timeout');
    this.controller?.abort(new Error('no response head in time'));
  };

  readonly onClientGone = (): void => {
    if (this.isOver) return;
    this.release();
    failResponse(this.exchange, 'canceled');
    this.controller?.abort(new Error('the client has gone'));
  };
}

/** The head goes out at once even if the body is slow to begin; where the body is there already, both leave in one write. */
function flushIfIdle(exchange: Exchange): void {
  if (exchange.bytesOut === 0 && !exchange.isFinished) exchange.res?.flushHeaders();
}

/** What every Buffer of Node has, with a third of the cost of `toString`; the type declarations leave it out. */
interface Latin1Sliceable {
  latin1Slice(start: number, end: number): string;
}

function texts(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return [];
  const out: string[] = [];
  for (const piece of raw) {
    out.push(typeof piece === 'string' ? piece : (piece as unknown as Latin1Sliceable).latin1Slice(0, piece.length));
  }
  return out;
}
