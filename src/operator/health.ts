import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { Metrics } from '../observe/metrics.ts';

/** What probes and scrapers ask. */
export interface Health {
  /** Of `/healthz` and `/readyz`. */
  readonly port: number;
  close(): Promise<void>;
}

export interface HealthOptions {
  /** 0 takes any free one. */
  readonly healthPort: number;
  readonly metricsPort: number;
  /** Why the operator is not ready; nothing if it is. One that does not lead is ready too. */
  readonly notReady: () => string | undefined;
  readonly metrics: Metrics;
}

/** `/healthz` while the process lives, `/readyz` once every kind was listed, and `/metrics` on a port of its own. Throws if a port cannot be had. */
export async function startHealth({ healthPort, metricsPort, notReady, metrics }: HealthOptions): Promise<Health> {
  const health = await listening(
    healthPort,
    (path, response) => {
      const why = path === '/readyz' ? notReady() : undefined;
      answer(response, why === undefined ? 200 : 503, why ?? 'ok');
    },
    ['/healthz', '/readyz'],
  );
  const scraped = await listening(
    metricsPort,
    (_path, response) => {
      void metrics.text().then((text) => response.setHeader('content-type', metrics.contentType).end(text));
    },
    ['/metrics'],
  );
  const address = health.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : healthPort,
    async close() {
      await Promise.all([closed(health), closed(scraped)]);
    },
  };
}

type Answer = (path: string, response: ServerResponse) => void;

async function listening(port: number, respond: Answer, paths: readonly string[]): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '/';
    if (paths.includes(path)) respond(path, response);
    else answer(response, 404, 'not found');
  });
  server.listen(port);
  await once(server, 'listening');
  return server;
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(`${text}\n`);
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
