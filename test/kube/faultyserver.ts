/**
 * The least of an API server, over real HTTP, for what a real one does not do when asked: it serves one kind (ConfigMaps), and every
 * answer can be replaced by a fault. What an API server is, other tests ask a real one.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { createKubeClient, type KubeClient, type SentRequest } from '../../src/facts/cluster/client.ts';
import type { KubeObject } from '../../src/facts/object.ts';

/** What is done instead of the answer; false: answer as usual. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface FaultyServer {
  readonly url: string;
  /** Requests so far: `list`, `list next`, `watch 12`. */
  readonly asked: readonly string[];
  /** Asked in turn for each request, until one takes it; a fault that is used up is to be removed by whoever set it. */
  readonly faults: Fault[];
  put(name: string, value: string): void;
  remove(name: string): void;
  /** Writes a line to all watches that are open. */
  say(line: string): void;
  /** Ends all watches: `end` as agreed, `reset` without warning. */
  cut(how: 'end' | 'reset'): void;
  watches(): number;
  sockets(): number;
  close(): Promise<void>;
}

export async function startFaultyServer(): Promise<FaultyServer> {
  const objects = new Map<string, KubeObject>();
  const open = new Set<ServerResponse>();
  const log: { readonly version: number; readonly line: string }[] = [];
  const asked: string[] = [];
  const faults: Fault[] = [];
  let version = 10;
  let sockets = 0;
  const tell = (type: string, object: KubeObject): void => {
    const line = `${JSON.stringify({ type, object })}\n`;
    log.push({ version, line });
    for (const response of open) response.write(line);
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const from = url.searchParams.get('resourceVersion');
    asked.push(
      url.searchParams.has('watch') ? `watch ${from}` : `list${url.searchParams.has('continue') ? ' next' : ''}`,
    );
    if (faults.some((fault) => fault(request, response))) return;
    if (!url.searchParams.has('watch')) {
      const items = [...objects.values()];
      return void response.end(JSON.stringify({ metadata: { resourceVersion: String(version) }, items }));
    }
    response.writeHead(200).flushHeaders();
    open.add(response);
    response.on('close', () => open.delete(response));
    for (const past of log) if (past.version > Number(from)) response.write(past.line);
  });
  server.on('connection', (socket) => {
    sockets += 1;
    socket.on('close', () => (sockets -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const object = (name: string, value: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'shop', name, uid: name, resourceVersion: String((version += 1)) },
    data: { value },
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    faults,
    put(name, value) {
      const type = objects.has(name) ? 'MODIFIED' : 'ADDED';
      objects.set(name, object(name, value));
      tell(type, objects.get(name) as KubeObject);
    },
    remove(name) {
      objects.delete(name);
      tell('DELETED', object(name, ''));
    },
    say: (line) => open.forEach((response) => response.write(line)),
    cut(how) {
      for (const response of open) {
        open.delete(response);
        if (how === 'end') response.end();
        else response.socket?.resetAndDestroy();
      }
    },
    watches: () => open.size,
    sockets: () => sockets,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers the next `times` requests with a status. */
export function answer(
  server: FaultyServer,
  code: number,
  { times = 1, headers = {} }: { readonly times?: number; readonly headers?: Record<string, string> } = {},
): void {
  let left = times;
  const fault: Fault = (_, response) => {
    left -= 1;
    if (left <= 0) server.faults.splice(server.faults.indexOf(fault), 1);
    response.writeHead(code, headers).end(JSON.stringify({ kind: 'Status', code, message: `fault ${code}` }));
    return true;
  };
  server.faults.push(fault);
}

/** A client of it; `token` is asked for whenever the credentials are read. */
export function faultyClient(
  { url }: FaultyServer,
  token = (): string => 'token',
): KubeClient & { readonly sent: readonly SentRequest[] } {
  const sent: SentRequest[] = [];
  const load = (): KubeConfig => {
    const config = new KubeConfig();
    config.loadFromClusterAndUser({ name: 'faulty', server: url, skipTLSVerify: true }, { name: 'me', token: token() });
    return config;
  };
  return { ...createKubeClient({ load, sent: (request) => sent.push(request) }), sent };
}
