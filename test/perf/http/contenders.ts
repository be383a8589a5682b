/** The proxies that are measured side by side, each on the same core in front of the same backend. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RoutingTable } from '../../../src/table/document.ts';
import { encodeTable } from '../../../src/table/encode.ts';
import type { Bench } from '../part.ts';
import { answering, startOurs } from '../proxy.ts';
import { us } from '../spread.ts';
import type { Started } from '../workshop.ts';
import { proxyServer, startNginx } from './nginx.ts';

export interface Contender {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const goProgram = path('../../../node_modules/.cache/bench/go-proxy');

/** Compiles the Go peer; Go's own cache makes that quick from the second time on. */
export async function buildGoPeer({ workshop, progress }: Bench, go: string): Promise<void> {
  progress('building the Go peer');
  const environment = ['CGO_ENABLED=0', 'GOTOOLCHAIN=local', 'GOFLAGS='];
  const build = [go, 'build', '-C', path('../peers/go'), '-trimpath', '-ldflags=-s -w', '-o', goProgram, '.'];
  await workshop.run('env', [...environment, ...build]);
}

/** Starts them all, ours first. */
export async function startContenders(bench: Bench, nginx: string, backend: number): Promise<Contender[]> {
  const { workshop, cores } = bench;
  const core = cores.measured;
  const start: Record<string, (port: number) => Started> = {
    nginx: (port) => startNginx({ workshop, program: nginx, name: 'peer', servers: proxyServer(port, backend), core }),
    go: (port) => workshop.start(goProgram, [`127.0.0.1:${port}`, `127.0.0.1:${backend}`], { core }),
    node: (port) =>
      workshop.start(process.execPath, [path('../peers/node.ts'), String(port), String(backend)], { core }),
  };
  const ours = await startOurs(bench, tableFolder(workshop.folder, backend));
  const contenders: Contender[] = [{ name: us, port: ours.port, pid: ours.pid }];
  for (const [name, starter] of Object.entries(start)) {
    const port = await workshop.freePort();
    const started = starter(port);
    await answering(started, `http://127.0.0.1:${port}/1k`);
    contenders.push({ name, port, pid: started.pid });
  }
  return contenders;
}

function tableFolder(parent: string, port: number): string {
  const table: RoutingTable = {
    schema: '1.0',
    plane: 'infra/web',
    listeners: [{ id: 'infra/web/http', gateway: 'infra/web', protocol: 'HTTP', port: 80 }],
    hosts: [
      { host: '*', rows: [{ path: { type: 'PathPrefix', value: '/' }, listeners: ['infra/web/http'], rule: 'r' }] },
    ],
    rules: { r: { source: 'HTTPRoute shop/web rule 0', backends: [{ weight: 1, backend: 'b' }] } },
    backends: { b: { host: '127.0.0.1', port, protocol: 'http1' } },
  };
  const folder = join(parent, 'table');
  mkdirSync(folder);
  writeFileSync(join(folder, 'table.json'), encodeTable(table));
  return folder;
}
