/** Sample backends: one real HTTP server for each port of a Service, which answers with its name and what arrived. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from './cleanup.ts';
import type { ServicePort } from './manifests.ts';

/** What a backend says of a request: the body of its answer, as JSON. */
export interface Seen {
  /** The Service it plays, `<namespace>/<name>`. */
  readonly backend: string;
  readonly method: string;
  /** Path and query as they arrived. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Backend extends ServicePort {
  /** Where it listens, on 127.0.0.1. */
  readonly at: number;
  /** How many requests arrived so far. */
  requests(): number;
}

export async function startBackends(ports: readonly ServicePort[], cleanup: Cleanup): Promise<readonly Backend[]> {
  return Promise.all(ports.map((port) => startBackend(port, cleanup)));
}

async function startBackend({ service, port }: ServicePort, cleanup: Cleanup): Promise<Backend> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    const { method = '', url = '', headers } = request;
    const seen: Seen = { backend: service, method, target: url, headers };
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen));
  });
  cleanup.add(() => close(server));
  return { service, port, at: await listen(server), requests: () => requests };
}

/** Listens on a port the system chooses. */
function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Ports nobody listens on. They are found all at once, so that no two are the same. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map(listen));
  await Promise.all(servers.map(close));
  return ports;
}
