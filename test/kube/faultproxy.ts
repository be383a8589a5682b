/** A proxy in front of a real API server that does to its answers what networks, load and age do. */
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request as ask } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadConfig } from '../../src/facts/cluster/credentials.ts';
import type { ApiServer } from '../cluster/apiserver.ts';

/**
 * `429`, `500`, `503`: answered by the proxy, nothing is sent on. `lost`: carried out, and the answer lost. `reset`: cut before it is sent on.
 * Of watches only: `410` ends it with an ERROR event, `torn` cuts it in the middle of a line.
 */
export type ProxyFault = '429' | '500' | '503' | 'lost' | 'reset' | '410' | 'torn';

export interface FaultProxy {
  /** Path of a kubeconfig that leads through the proxy. */
  readonly kubeconfig: string;
  /** Which fault befalls a request; undefined: none. Asked for each. */
  choose: (request: IncomingMessage) => ProxyFault | undefined;
  /** Faults so far, by kind. */
  readonly befallen: Map<ProxyFault, number>;
  /** Harms all watches that are open. */
  harmWatches(fault: '410' | 'torn' | 'reset'): void;
  close(): Promise<void>;
}

/** One fault of these, by chance, for about `share` of all requests; `410` and `torn` befall watches alone. */
export function byChance(share: number, faults: readonly ProxyFault[]): FaultProxy['choose'] {
  return ({ url = '' }) => {
    if (randomInt(1000) >= share * 1000) return undefined;
    const possible = faults.filter((fault) => isWatch(url) || (fault !== '410' && fault !== 'torn'));
    return possible[randomInt(possible.length)];
  };
}

export async function startFaultProxy(server: ApiServer): Promise<FaultProxy> {
  const user = loadConfig({ kubeconfig: server.kubeconfig }).getCurrentUser();
  const cluster = loadConfig({ kubeconfig: server.kubeconfig }).getCurrentCluster();
  const pem = (data: string | undefined, file: string | undefined): Buffer | undefined => {
    if (file !== undefined) return readFileSync(file);
    return data === undefined ? undefined : Buffer.from(data, 'base64');
  };
  const agent = new Agent({
    keepAlive: true,
    ca: pem(cluster?.caData, cluster?.caFile),
    cert: pem(user?.certData, user?.certFile),
    key: pem(user?.keyData, user?.keyFile),
  });
  const watches = new Set<ServerResponse>();
  const befallen = new Map<ProxyFault, number>();
  const front = createServer((request, response) => {
    const fault = proxy.choose(request);
    if (fault !== undefined) befallen.set(fault, (befallen.get(fault) ?? 0) + 1);
    if (fault === 'reset') return void request.socket.destroy();
    if (fault === '429' || fault === '500' || fault === '503') return refuse(response, Number(fault));
    const onward = ask(server.url + (request.url ?? ''), { method: request.method, headers: request.headers, agent });
    request.pipe(onward);
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.on('response', (answer) => {
      if (fault === 'lost') return void request.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      if (!isWatch(request.url ?? '')) return;
      watches.add(response);
      response.on('close', () => watches.delete(response));
      if (fault === '410' || fault === 'torn') harm(response, fault);
    });
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const kubeconfig = join(server.folder, `faulty-${(front.address() as AddressInfo).port}.kubeconfig`);
  writeFileSync(kubeconfig, configText((front.address() as AddressInfo).port));
  const proxy: FaultProxy = {
    kubeconfig,
    befallen,
    choose: () => undefined,
    harmWatches: (fault) => watches.forEach((response) => harm(response, fault)),
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        front.closeAllConnections();
        front.close(() => resolve());
      }),
  };
  return proxy;
}

function isWatch(url: string): boolean {
  return url.includes('watch=true');
}

function refuse(response: ServerResponse, code: number): void {
  response.writeHead(code, code === 429 ? { 'retry-after': '1' } : {});
  response.end(JSON.stringify({ kind: 'Status', code, message: `the fault proxy says ${code}` }));
}

function harm(response: ServerResponse, fault: '410' | 'torn' | 'reset'): void {
  if (fault === '410') {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
  } else if (fault === 'torn') response.write('{"type":"ADDED","obj', () => response.socket?.resetAndDestroy());
  else response.socket?.resetAndDestroy();
}

function configText(port: number): string {
  const cluster = { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'faulty', cluster }],
    users: [{ name: 'me', user: {} }],
    contexts: [{ name: 'faulty', context: { cluster: 'faulty', user: 'me' } }],
    'current-context': 'faulty',
  });
}
