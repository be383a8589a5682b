/**
 * The admin address: health, readiness, status, metrics, drain. It shows nothing of any request and takes no configuration.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import type { Metrics } from '../observe/metrics.ts';
import { tableSchema } from '../table/document.ts';
import type { Drain } from './drain.ts';
import type { Reload } from './reload.ts';

export interface AdminOptions {
  readonly reload: Reload;
  readonly drain: Drain;
  readonly metrics: Metrics;
  /** Path part after `/drain/`. */
  readonly drainPart?: string;
}

/** A bundle has the version of its release written in. */
const versions = {
  proxy: process.env.CFGW_VERSION ?? 'dev',
  schema: `${tableSchema.major}.${tableSchema.minor}`,
  node: process.versions.node,
};

type Handler = (res: ServerResponse) => void;

export function createAdmin({ reload, drain, metrics, drainPart }: AdminOptions): Server {
  const handlers: Readonly<Record<string, Handler>> = {
    '/healthz': (res) => text(res, 200, 'ok'),
    '/readyz': (res) => {
      const why = notReady(reload, drain);
      text(res, why === undefined ? 200 : 503, why ?? 'ok');
    },
    '/status': (res) => {
      res.writeHead(200, { 'Content-Type': 'application/json' });
      res.end(`${JSON.stringify({ ...reload.status(), draining: drain.isDraining, versions })}\n`);
    },
    '/metrics': (res) => {
      metrics.text().then(
        (body) => {
          res.writeHead(200, { 'Content-Type': metrics.contentType });
          res.end(body);
        },
        () => text(res, 500, 'metrics cannot be read'),
      );
    },
  };
  return createServer((req: IncomingMessage, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    const handler = handlers[path];
    req.resume();
    if (drainPart !== undefined && isDrain(path, drainPart)) {
      drain.begin(true);
      text(res, 200, 'draining');
    } else if (!handler) text(res, 404, 'not found');
    else if (req.method !== 'GET' && req.method !== 'HEAD') text(res, 405, 'method not allowed');
    else handler(res);
  });
}

function notReady(reload: Reload, drain: Drain): string | undefined {
  if (drain.isDraining) return 'draining';
  return reload.status().loaded === undefined ? 'no valid routing table yet' : undefined;
}

/** Compared in constant time: the part is not to be guessed from outside the namespace. */
function isDrain(path: string, part: string): boolean {
  const given = Buffer.from(path);
  const wanted = Buffer.from(`/drain/${part}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function text(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  res.end(`${body}\n`);
}
