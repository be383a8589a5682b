/** A proxy with 10,000 rules, the backends behind it, and the two versions of its table that take turns. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RoutingTable, TableBackend } from '../../../src/table/document.ts';
import { encodeTable } from '../../../src/table/encode.ts';
import { packTable } from '../../../src/table/pack.ts';
import { startNginx } from '../http/nginx.ts';
import type { Bench } from '../part.ts';
import { answering, startOurs } from '../proxy.ts';
import type { OurProxy } from '../proxy.ts';
import { ruleTable } from '../rules/table.ts';
import type { Target } from '../rules/table.ts';
import { mountAt } from './mount.ts';
import type { Files, Mount } from './mount.ts';
import { streamHost } from './streams.ts';

export type Backends = Readonly<Record<string, TableBackend>>;

export interface Plane {
  readonly proxy: OurProxy;
  readonly mount: Mount;
  readonly targets: readonly Target[];
  /** File of the targets that a rule answers, for wrk. */
  readonly targetsFile: string;
  /** Files of the even and of the odd versions. */
  readonly versions: readonly [Files, Files];
}

const backendCount = 4;

/** Four backends that say who they are and what the proxy told them of rule and version. */
export async function startEchoes({ workshop }: Bench, program: string): Promise<Backends> {
  const backends: [string, TableBackend][] = [];
  const servers: string[] = [];
  for (let index = 0; index < backendCount; index += 1) {
    const port = await workshop.freePort();
    backends.push([`b${index}`, { host: '127.0.0.1', port, protocol: 'http1' }]);
    servers.push(
      `server { listen 127.0.0.1:${port} backlog=4096; location / { return 200 "b${index} $http_x_rule $http_x_table"; } }`,
    );
  }
  const started = startNginx({ workshop, program, name: 'echoes', servers: servers.join('\n') });
  for (const [, { port }] of backends) await answering(started, `http://127.0.0.1:${port}/`);
  return Object.fromEntries(backends);
}

export async function startPlane(bench: Bench, hosts: number, echoes: Backends, streams: TableBackend): Promise<Plane> {
  const tables = [0, 1].map((version) =>
    ruleTable({
      hosts,
      version,
      backends: echoes,
      filters: (rule) => [
        {
          type: 'RequestHeaderModifier',
          set: [
            { name: 'X-Rule', value: String(rule).padStart(5, '0') },
            { name: 'X-Table', value: `v${version}` },
          ],
        },
      ],
    }),
  );
  const [even, odd] = tables.map(({ table }) => filesOf(withStreams(table, streams)));
  const targets = tables[0]?.targets ?? [];
  if (even === undefined || odd === undefined) throw new Error('no tables');
  const folder = join(bench.workshop.folder, `plane-${hosts}`);
  const mount = await mountAt(folder, even);
  const targetsFile = `${folder}.targets`;
  const answered = targets.filter(({ rule }) => rule !== undefined);
  writeFileSync(targetsFile, answered.map(({ host, path }) => `${host} ${path}\n`).join(''));
  const proxy = await startOurs(bench, folder, fileURLToPath(new URL('stall.ts', import.meta.url)));
  return { proxy, mount, targets, targetsFile, versions: [even, odd] };
}

function withStreams(table: RoutingTable, streams: TableBackend): RoutingTable {
  const listeners = table.listeners.map(({ id }) => id);
  const row = { path: { type: 'PathPrefix', value: '/' }, listeners, rule: 'shop/streams/0' } as const;
  const rule = { source: 'HTTPRoute shop/streams rule 0', backends: [{ weight: 1, backend: 'streams' }] };
  return {
    ...table,
    hosts: [...table.hosts, { host: streamHost, rows: [row] }],
    rules: { ...table.rules, [row.rule]: rule },
    backends: { ...table.backends, streams },
  };
}

function filesOf(table: RoutingTable): Files {
  const packed = packTable(table.schema, encodeTable(table));
  if (packed.tooLarge) throw new Error(`the table has ${packed.tooLarge.bytes} bytes, too many to be published`);
  return Object.fromEntries(packed.files.map(({ name, content }) => [name, content]));
}
