/**
 * Answers the proxy makes itself: plain text for HTTP, a gRPC status for a request whose content type is gRPC, which could not read an HTTP
 * error. Source: reference, "Local responses"; seed, "Unavailable backends return a status, not a dial error".
 */
import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../exchange.ts';
import type { Refusal } from '../gate/refusal.ts';
import type { LocalAnswer, Reply } from './reply.ts';

const grpcStatus = { unimplemented: '12', unavailable: '14' } as const;

export const answers = {
  misdirected: { status: 421, text: 'misdirected request' },
  noRoute: { status: 404, text: 'no matching route' },
  noTable: { status: 503, text: 'no routing table yet' },
  noBackend: { status: 500, text: 'no backend available for this route' },
  timeout: { status: 504, text: 'gateway timeout' },
  badGateway: { status: 502, text: 'bad gateway' },
} as const satisfies Record<string, LocalAnswer>;

/** The answer of a rule or backend that cannot serve. */
export function unavailable(status: number): LocalAnswer {
  return { status, text: 'backend unavailable' };
}

/** Writes a reply and counts it. */
export function give(exchange: Exchange, reply: Reply): void {
  switch (reply.kind) {
    case 'refused':
      refuse(exchange, reply.refusal);
      break;
    case 'local':
      answer(exchange, reply.local);
      break;
    case 'redirect':
      redirect(exchange, reply.status, reply.location);
      break;
    case 'asterisk':
      answerAsterisk(exchange);
      break;
  }
}

/** Answers and counts. Nothing is written if the head is out already or the client has gone. */
export function answer(exchange: Exchange, { status, text }: LocalAnswer): void {
  const { res } = exchange;
  if (!res || res.headersSent || res.destroyed) {
    exchange.finish(status);
    return;
  }
  if (exchange.isGrpc && status >= 404) answerGrpc(exchange, status, text);
  else writeText(exchange, status, text);
  exchange.finish(status);
}

/** Refuses at the gate: the connection is closed, since what follows on it cannot be trusted. */
function refuse(exchange: Exchange, refusal: Refusal): void {
  exchange.accounts.refuse(refusal.reason);
  exchange.closes = true;
  if (exchange.res) writeText(exchange, refusal.status, reasonPhrase(refusal.status).toLowerCase());
  exchange.finish(refusal.status);
}

/** A redirect, for any method. */
function redirect(exchange: Exchange, status: number, location: string): void {
  exchange.res?.writeHead(status, closing(exchange, ['Location', location, 'Content-Length', '0']));
  exchange.res?.end();
  exchange.finish(status);
}

/** The answer to `OPTIONS *`: the server as a whole is there, and says no more of itself. */
function answerAsterisk(exchange: Exchange): void {
  exchange.res?.writeHead(204, closing(exchange, []));
  exchange.res?.end();
  exchange.finish(204);
}

/** The same answer as bytes, for a socket that has no response object: an upgrade, or bytes that are no request. It closes. */
export function rawAnswer({ status, text }: LocalAnswer): string {
  const body = `${text}\n`;
  const head = [
    `HTTP/1.1 ${status} ${reasonPhrase(status)}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? 'Unknown';
}

function writeText(exchange: Exchange, status: number, text: string): void {
  const body = `${text}\n`;
  const fields = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))];
  exchange.res?.writeHead(status, closing(exchange, fields));
  exchange.res?.end(body);
}

function answerGrpc(exchange: Exchange, status: number, text: string): void {
  const code = status === answers.noRoute.status ? grpcStatus.unimplemented : grpcStatus.unavailable;
  const { res } = exchange;
  res?.writeHead(200, closing(exchange, ['Content-Type', 'application/grpc', 'Trailer', 'Grpc-Status, Grpc-Message']));
  res?.addTrailers([
    ['Grpc-Status', code],
    ['Grpc-Message', text],
  ]);
  res?.end();
}

function closing(exchange: Exchange, fields: string[]): string[] {
  if (exchange.closes) fields.push('Connection', 'close');
  return fields;
}
