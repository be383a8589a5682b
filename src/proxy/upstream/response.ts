/**
 * Writing a backend's answer to the client: one place for every engine, so that hop-by-hop fields, response filters, counting and the
 * ways an answer can break off are the same whatever the protocol behind.
 */
import type { Exchange } from '../exchange.ts';
import { isHopByHop, namedByConnection } from '../gate/hopbyhop.ts';
import { answer, answers } from './answer.ts';
import type { LocalAnswer } from './reply.ts';
import type { BackendErrorReason } from '../metrics.ts';

/** What came from the backend before the body: status, reason phrase, field lines as they were (name, value, name, value). */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly fields: readonly string[];
}

/** Writes the head. Throws if the backend's fields cannot be written; the engine then answers 502. */
export function writeHead(exchange: Exchange, { status, reason, fields }: ResponseHead): void {
  const { res } = exchange;
  if (!res) return;
  let out = responseFields(exchange, status, fields);
  for (const filter of exchange.responseFilters) out = filter(out);
  if (exchange.closes) out.push('Connection', 'close');
  exchange.endless = endlessKind(out);
  if (reason === '') res.writeHead(status, out);
  else res.writeHead(status, reason, out);
}

/** The field lines that go on to the client. */
function responseFields(exchange: Exchange, status: number, fields: readonly string[]): string[] {
  const named = connectionNames(fields);
  const out: string[] = [];
  let mayHaveTrailers = false;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    if (isHopByHop(name)) {
      mayHaveTrailers ||= name.length === trailerLength;
      continue;
    }
    if (named !== undefined && named.has(name.toLowerCase())) continue;
    out.push(name, fields[index + 1] ?? '');
  }
  if (mayHaveTrailers && canHaveTrailers(exchange, status)) announceTrailers(fields, out);
  return out;
}

const trailerLength = 'trailer'.length;
const contentTypeLength = 'content-type'.length;

/** Event streams and gRPC calls may be ended by a drain: their clients know how to come back. */
function endlessKind(fields: readonly string[]): Exchange['endless'] {
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    if (name.length !== contentTypeLength || name.toLowerCase() !== 'content-type') continue;
    const type = fields[index + 1] ?? '';
    if (type.startsWith('text/event-stream')) return 'events';
    return type.startsWith('application/grpc') ? 'grpc' : undefined;
  }
  return undefined;
}

/** `Trailer` stays where trailers can follow: an answer without a length, to HTTP/1.1. */
function announceTrailers(fields: readonly string[], out: string[]): void {
  const valueOf = (wanted: string): string | undefined =>
    fields.find((_, index) => index % 2 === 1 && fields[index - 1]?.toLowerCase() === wanted);
  const trailer = valueOf('trailer');
  if (trailer !== undefined && valueOf('content-length') === undefined) out.push('Trailer', trailer);
}

function canHaveTrailers(exchange: Exchange, status: number): boolean {
  return exchange.method !== 'HEAD' && status !== 204 && status !== 304 && exchange.req.httpVersionMinor > 0;
}

function connectionNames(fields: readonly string[]): ReadonlySet<string> | undefined {
  let connection = '';
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    if (name.length === 10 && name.toLowerCase() === 'connection') connection += `,${fields[index + 1] ?? ''}`;
  }
  return namedByConnection(connection.slice(1));
}

/** Ends the answer, with trailers if there are any, and counts it. */
export function endResponse(exchange: Exchange, trailers: readonly string[]): void {
  const { res } = exchange;
  if (!res) return;
  if (trailers.length > 0) res.addTrailers(pairs(trailers));
  res.end();
  // The backend answered without reading the whole body: what is still to come of it would have to be read for nothing.
  if (!exchange.req.complete) res.once('finish', () => exchange.socket.destroySoon());
  exchange.finish(res.statusCode);
}

/** Ends an answer that has no end of its own: an event stream as it is, a gRPC call with UNAVAILABLE, which clients retry elsewhere. */
export function endEndless(exchange: Exchange): void {
  const { res, onClientGone } = exchange;
  if (exchange.isFinished || exchange.endless === undefined || !res) return;
  if (exchange.endless === 'grpc') {
    res.addTrailers([
      ['Grpc-Status', '14'],
      ['Grpc-Message', 'the proxy is shutting down'],
    ]);
  }
  res.end();
  exchange.finish(res.statusCode);
  onClientGone?.();
}

/**
 * The backend failed. Before the head the client gets an answer; after it the connection is cut, because a truncated message must be
 * seen as truncated (field case B-05). A client that has gone is counted as such.
 */
export function failResponse(exchange: Exchange, reason: BackendErrorReason): void {
  const { res, accounts } = exchange;
  if (exchange.isFinished) return;
  if (hasGone(exchange)) {
    accounts.backendError(exchange, 'canceled');
    exchange.finish(0);
    return;
  }
  accounts.backendError(exchange, reason);
  if (res && !res.headersSent) {
    answerFailure(exchange, reason === 'timeout' ? answers.timeout : answers.badGateway);
    return;
  }
  const status = res?.statusCode ?? answers.badGateway.status;
  // A reset, not a FIN: to an HTTP/1.0 client a FIN would look like the end of the body.
  exchange.socket.resetAndDestroy();
  exchange.finish(status);
}

/** A local answer in place of the backend's; the connection is closed if the request's body was not read to its end. */
export function answerFailure(exchange: Exchange, local: LocalAnswer): void {
  const { req, res, socket } = exchange;
  if (exchange.hasBody && !req.complete) {
    exchange.closes = true;
    res?.once('finish', () => socket.destroySoon());
  }
  answer(exchange, local);
}

export function hasGone(exchange: Exchange): boolean {
  return exchange.socket.destroyed || exchange.socket.readyState === 'closed';
}

function pairs(flat: readonly string[]): [string, string][] {
  const out: [string, string][] = [];
  for (let index = 0; index < flat.length; index += 2) out.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return out;
}
