import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Metrics } from '../observe/metrics.ts';

/** What probes and scrapers ask. */
export interface Health {
  readonly port: number;
  close(): Promise<void>;
}

export interface HealthOptions {
  readonly port: number;
  readonly host?: string;
  /** Why the operator is not ready; nothing if it is. */
  readonly notReady: () => string | undefined;
  readonly metrics: Metrics;
}

/** `/healthz` while the process lives, `/readyz` once every kind was listed, `/metrics`. Throws if the port cannot be had. */
export async function startHealth({ port, host = '0.0.0.0', notReady, metrics }: HealthOptions): Promise<Health> {
  const server: Server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return void response.end('ok\n');
    if (path === '/readyz') {
      const why = notReady();
      response.statusCode = why === undefined ? 200 : 503;
      return void response.end(`${why ?? 'ok'}\n`);
    }
    if (path === '/metrics') {
      void metrics.text().then((text) => response.setHeader('content-type', metrics.contentType).end(text));
      return;
    }
    response.statusCode = 404;
    response.end();
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
