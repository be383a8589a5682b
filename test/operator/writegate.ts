import { readFileSync } from 'node:fs';
import { createServer, request as plainRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as tlsRequest, type RequestOptions } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';

/** Stands before an API and lets everything through; tells of each write once it has been answered by the API, before its client hears of it. */
export interface WriteGate {
  readonly url: string;
  close(): Promise<void>;
}

/** Where the requests go, with what the API wants to see of its client. */
export type Upstream = RequestOptions & { readonly protocol: 'http:' | 'https:' };

/** The API server of a kubeconfig that holds its certificates itself. */
export function apiServerOf(kubeconfig: string): Upstream {
  const config = parse(readFileSync(kubeconfig, 'utf8')) as {
    clusters: [{ cluster: Record<string, string> }];
    users: [{ user: Record<string, string> }];
  };
  const { server = '', 'certificate-authority-data': ca = '' } = config.clusters[0].cluster;
  const { 'client-certificate-data': cert = '', 'client-key-data': key = '' } = config.users[0].user;
  const { hostname, port } = new URL(server);
  const decoded = (text: string): Buffer => Buffer.from(text, 'base64');
  return { protocol: 'https:', hostname, port, ca: decoded(ca), cert: decoded(cert), key: decoded(key) };
}

/** `written` is called after the API has done a write; the answer waits until it has returned. */
export async function startWriteGate(upstream: Upstream, written: (what: string) => void): Promise<WriteGate> {
  const server = createServer((incoming, outgoing) => forward({ incoming, outgoing, upstream, written }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Passing {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly upstream: Upstream;
  readonly written: (what: string) => void;
}

function forward({ incoming, outgoing, upstream, written }: Passing): void {
  const { method = 'GET', url = '/', headers } = incoming;
  const send = upstream.protocol === 'https:' ? tlsRequest : plainRequest;
  const { host: _host, ...kept } = headers;
  const out = send({ ...upstream, method, path: url, headers: kept }, (answer) => {
    const isDone = method !== 'GET' && (answer.statusCode ?? 500) < 300;
    if (isDone) written(`${method} ${url}`);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    outgoing.on('close', () => answer.destroy());
  });
  out.on('error', () => outgoing.destroy());
  incoming.pipe(out);
}
