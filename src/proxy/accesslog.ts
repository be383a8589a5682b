/**
 * The access log: off by default, one JSON line per request, sampled, and the query left out on request. An answer of 5xx is always logged;
 * upgrades and requests whose client went away before an answer are not. Source: reference, "Access log".
 */
import type { Logger } from '../observe/logger.ts';
import type { FinishedListener } from './metrics.ts';
import type { Exchange } from './exchange.ts';

export interface AccessLogOptions {
  /** Share of requests that is logged, 0 to 1. */
  readonly sampling: number;
  /** Leave the query out: it may hold what nobody wants in a log. */
  readonly stripQuery: boolean;
  readonly random?: () => number;
}

export function createAccessLog(
  { sampling, stripQuery, random = Math.random }: AccessLogOptions,
  logger: Logger,
): FinishedListener<Exchange> {
  return (exchange, status) => {
    if (status === 0 || status === 101) return;
    if (status < 500 && random() >= sampling) return;
    logger.info('access', accessLine(exchange, status, stripQuery));
  };
}

function accessLine(exchange: Exchange, status: number, stripQuery: boolean): Record<string, unknown> {
  const { destination, matched } = exchange;
  return {
    method: exchange.method,
    host: exchange.host,
    path: exchange.path,
    ...(stripQuery || exchange.search === '' ? {} : { query: exchange.query }),
    // A gRPC answer of ours is 200 on the wire; the status counted is the HTTP error it stands for.
    status: exchange.res?.statusCode ?? status,
    bytes_written: exchange.bytesOut,
    duration_ms: Math.round((performance.now() - exchange.started) * 1000) / 1000,
    user_agent: exchange.req.headers['user-agent'],
    client: exchange.req.headers['cf-connecting-ip'],
    ray: exchange.req.headers['cf-ray'],
    rule: matched?.rule.source,
    backend: destination === undefined ? undefined : `${destination.host}:${destination.port}`,
  };
}
