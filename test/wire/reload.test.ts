import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RoutingTable } from '../../src/table/document.ts';
import { encodeTable } from '../../src/table/encode.ts';
import { tableHash } from '../../src/table/hash.ts';
import { encodeEndpoints } from '../../src/table/endpoints.ts';
import { startProxy } from '../../src/proxy/proxy.ts';
import type { RunningProxy } from '../../src/proxy/proxy.ts';
import {
  answering,
  atEnd,
  cleanUp,
  eventually,
  exchange,
  get,
  proxyFor,
  rawBackend,
  rawClient,
  responseOf,
  tableOf,
  tableTo,
} from './harness.ts';
import type { RawBackend } from './harness.ts';

/** A directory as kubelet keeps it: files are links through `..data`, a swap replaces that link and removes the old version. */
async function mount(): Promise<{
  path: string;
  swap(files: Readonly<Record<string, string | Uint8Array>>, gapMs?: number): Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'mount-'));
  atEnd(() => rm(path, { recursive: true }));
  const linked = new Set<string>();
  let version = 0;
  return {
    path,
    async swap(files, gapMs = 0) {
      const old = `..v${version}`;
      version += 1;
      const next = `..v${version}`;
      await mkdir(join(path, next));
      for (const [name, text] of Object.entries(files)) await writeFile(join(path, next, name), text);
      await symlink(next, join(path, '..data_tmp'));
      if (gapMs > 0) {
        // A file system that cannot rename over a link: for a moment there is no `..data`.
        await unlink(join(path, '..data'));
        await new Promise((resolve) => setTimeout(resolve, gapMs));
      }
      await rename(join(path, '..data_tmp'), join(path, '..data'));
      for (const name of Object.keys(files)) {
        if (!linked.has(name)) await symlink(join('..data', name), join(path, name));
        linked.add(name);
      }
      for (const name of linked) {
        if (files[name] === undefined) await unlink(join(path, name)).then(() => linked.delete(name));
      }
      if (version > 1) await rm(join(path, old), { recursive: true });
    },
  };
}

async function proxyOn(table: string, pollMs = 100): Promise<RunningProxy & { port: number }> {
  const proxy = await startProxy({
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    table,
    pollMs,
    graceMs: 500,
  });
  atEnd(() => proxy.stop(50));
  return { ...proxy, port: Number(new URL(proxy.url).port) };
}

const named = (name: string): Promise<RawBackend> =>
  answering(`HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${name}`);
const bodyFrom = async (proxy: { port: number }): Promise<string> => (await exchange(proxy.port, get('/'))).body;
const code = async (url: string): Promise<number> => (await fetch(url)).status;

/** A table of the same meaning whose text differs. */
function renamed(table: RoutingTable, plane: string): RoutingTable {
  return { ...table, plane };
}

describe('wire: reload', () => {
  afterEach(cleanUp);

  it('B-07: each of several swaps of the mounted directory is in use soon, a gap in one of them is waited out', async () => {
    const backends = await Promise.all(['v1', 'v2', 'v3', 'v4'].map(named));
    const directory = await mount();
    await directory.swap({ 'table.json': encodeTable(tableTo(backends[0]?.port ?? 0)) });
    const proxy = await proxyOn(directory.path);
    await proxy.ready;
    assert.equal(await bodyFrom(proxy), 'v1');
    for (const [index, version] of ['v2', 'v3', 'v4'].entries()) {
      await directory.swap(
        { 'table.json': encodeTable(tableTo(backends[index + 1]?.port ?? 0)) },
        index === 1 ? 60 : 0,
      );
      await eventually(async () => (await bodyFrom(proxy)) === version, `${version} serves`);
    }
    assert.equal(proxy.status().lastError, undefined);
  });

  it('notices without polling, and by polling alone', async () => {
    const [first, second] = [await named('one'), await named('two')];
    for (const pollMs of [60_000, 50]) {
      const directory = await mount();
      await directory.swap({ 'table.json': encodeTable(tableTo(first.port)) });
      const proxy = await proxyOn(directory.path, pollMs);
      await proxy.ready;
      await directory.swap({ 'table.json': encodeTable(tableTo(second.port)) });
      await eventually(async () => (await bodyFrom(proxy)) === 'two', 'the second version serves');
    }
  });

  it('a plain file may be overwritten or replaced', async () => {
    const [first, second, third] = [await named('one'), await named('two'), await named('three')];
    const proxy = await proxyFor(tableTo(first.port), { pollMs: 50 });
    await writeFile(proxy.tableFile, encodeTable(tableTo(second.port)));
    await eventually(async () => (await bodyFrom(proxy)) === 'two', 'the overwritten file serves');
    await writeFile(`${proxy.tableFile}.new`, encodeTable(tableTo(third.port)));
    await rename(`${proxy.tableFile}.new`, proxy.tableFile);
    await eventually(async () => (await bodyFrom(proxy)) === 'three', 'the replaced file serves');
  });

  it('a document that is not valid keeps the last good one, and says so in status, metrics and readiness', async () => {
    const backend = await named('good');
    const proxy = await proxyFor(tableTo(backend.port));
    const { loaded } = proxy.status();
    for (const broken of [
      '{"schema":"1.0"',
      '{}',
      '[]',
      encodeTable(tableTo(1)).replace('"1.0"', '"9.0"'),
      encodeTable(tableTo(1)).slice(0, 200),
    ]) {
      await writeFile(proxy.tableFile, broken);
      const status = await proxy.reload();
      assert.equal(status.loaded, loaded);
      assert.notEqual(status.lastError, undefined);
      assert.equal(await bodyFrom(proxy), 'good');
      assert.equal(await code(`${proxy.adminUrl}/readyz`), 200);
    }
    const metrics = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
    assert.match(metrics, /^cftunnel_proxy_table_stale 1$/m);
    assert.match(metrics, /^cftunnel_proxy_table_reload_failures_total [1-9]/m);
    const shown = (await (await fetch(`${proxy.adminUrl}/status`)).json()) as { lastError?: string; loaded?: string };
    assert.equal(typeof shown.lastError, 'string');
    assert.equal(shown.loaded, loaded);
    await proxy.load(renamed(tableTo(backend.port), 'ns/other'));
    assert.equal(proxy.status().lastError, undefined);
    assert.equal(proxy.status().plane, 'ns/other');
  });

  it('equal content is no reload', async () => {
    const backend = await named('same');
    const table = tableTo(backend.port);
    const proxy = await proxyFor(table);
    const before = proxy.status();
    await proxy.load(table);
    assert.equal(proxy.status().loadedAt, before.loadedAt);
  });

  it('is not ready and answers 503 before the first valid table, then serves', async () => {
    const backend = await named('late');
    const directory = await mount();
    const proxy = await proxyOn(directory.path, 50);
    assert.equal(await code(`${proxy.adminUrl}/readyz`), 503);
    assert.equal(await code(`${proxy.adminUrl}/healthz`), 200);
    assert.equal((await exchange(proxy.port, get('/'))).status, 503);
    await directory.swap({ 'table.json': encodeTable(tableTo(backend.port)) });
    await proxy.ready;
    assert.equal(await code(`${proxy.adminUrl}/readyz`), 200);
    assert.equal(await bodyFrom(proxy), 'late');
  });

  it('a request in flight finishes on the table it began with', async () => {
    const release: (() => void)[] = [];
    const slow = await rawBackend((socket) =>
      release.push(() => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold')),
    );
    const next = await named('new');
    const filters = [{ type: 'ResponseHeaderModifier', set: [{ name: 'X-Table', value: 'first' }] }] as const;
    const proxy = await proxyFor(tableTo(slow.port, { filters }));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    await eventually(() => release.length === 1, 'the slow backend is asked');
    await proxy.load(tableTo(next.port));
    assert.equal(await bodyFrom(proxy), 'new');
    release[0]?.();
    const response = responseOf(await client.until((bytes) => responseOf(bytes) !== undefined));
    assert.equal(response?.body, 'old');
    assert.ok(response?.fields.includes('X-Table: first'));
  });

  it('connections to a backend stay over a reload that still names it, and close when none does', async () => {
    const [kept, other] = [await named('kept'), await named('other')];
    const proxy = await proxyFor(tableTo(kept.port));
    await bodyFrom(proxy);
    await proxy.load(renamed(tableTo(kept.port), 'ns/second'));
    await bodyFrom(proxy);
    assert.equal(kept.received.length, 1);
    await proxy.load(tableTo(other.port));
    await eventually(() => kept.sockets.every((socket) => socket.destroyed), 'the old connection is closed');
    assert.equal(await bodyFrom(proxy), 'other');
  });

  it('the endpoints document is taken over apart from the table', async () => {
    const [byName, podA, podB] = [await named('name'), await named('a'), await named('b')];
    const table = encodeTable(tableTo(byName.port));
    const directory = await mount();
    await directory.swap({ 'table.json': table });
    const proxy = await proxyOn(directory.path, 50);
    await proxy.ready;
    const { loadedAt } = proxy.status();
    assert.equal(await bodyFrom(proxy), 'name');

    const endpoints = (...ports: readonly number[]): string =>
      encodeEndpoints({ schema: '1.0', backends: { b: ports.map((port) => `127.0.0.1:${port}`) } });
    await directory.swap({ 'table.json': table, 'endpoints.json': endpoints(podA.port, podB.port) });
    await eventually(async () => (await bodyFrom(proxy)) !== 'name', 'the pods are dialled');
    const seen = new Set<string>();
    await eventually(async () => seen.add(await bodyFrom(proxy)).size === 2, 'both pods get requests');

    await directory.swap({ 'table.json': table, 'endpoints.json': endpoints(podB.port) });
    await eventually(() => podA.sockets.every((socket) => socket.destroyed), 'a pod that is gone is dialled no more');
    assert.equal(await bodyFrom(proxy), 'b');

    await directory.swap({ 'table.json': table, 'endpoints.json': endpoints() });
    await eventually(
      async () => (await exchange(proxy.port, get('/'))).status === 503,
      'B-44: no ready endpoint is 503',
    );
    assert.equal((await exchange(proxy.port, get('/'))).body, 'backend unavailable\n');

    await directory.swap({ 'table.json': table, 'endpoints.json': '{"broken"' });
    await eventually(() => proxy.status().lastError !== undefined, 'a broken document is named');
    assert.equal((await exchange(proxy.port, get('/'))).status, 503);

    await directory.swap({ 'table.json': table });
    await eventually(async () => (await bodyFrom(proxy)) === 'name', 'the name is dialled again');
    assert.equal(proxy.status().loadedAt, loadedAt);
  });

  it('a packed table serves, and shards only once all of them are of one table', async () => {
    const [first, second] = [await named('one'), await named('two')];
    const packed = (port: number): Record<string, string | Uint8Array> => {
      const many = Array.from({ length: 3000 }, (_, index) => ({
        exact: `/${index.toString(36)}/${index}`,
        answer: { status: 500, why: `rule ${index}` },
      }));
      const table = tableOf([{ exact: '/', backends: [{ weight: 1, backend: 'b' }] }, ...many], {
        b: { host: '127.0.0.1', port, protocol: 'http1' },
      });
      const whole = Buffer.from(encodeTable(table));
      const zipped = gzipSync(whole);
      const half = Math.floor(zipped.length / 2);
      const meta = { schema: '1.0', hash: tableHash(whole.toString()), form: 'shards', parts: 2, bytes: whole.length };
      return {
        'table.meta.json': JSON.stringify(meta),
        'table.json.gz.0': zipped.subarray(0, half),
        'table.json.gz.1': zipped.subarray(half),
      };
    };
    const directory = await mount();
    const old = packed(first.port);
    const next = packed(second.port);
    await directory.swap(old);
    const proxy = await proxyOn(directory.path, 50);
    await proxy.ready;
    assert.equal(await bodyFrom(proxy), 'one');
    await directory.swap({ ...next, 'table.json.gz.1': old['table.json.gz.1'] ?? '' });
    await eventually(() => proxy.status().lastError !== undefined, 'a mixture is refused');
    assert.equal(await bodyFrom(proxy), 'one');
    await directory.swap(next);
    await eventually(async () => (await bodyFrom(proxy)) === 'two', 'the whole serves');
    assert.equal(proxy.status().lastError, undefined);
  });

  it('B-17: a pattern that does not compile takes only its own row down', async () => {
    const backend = await named('fine');
    const good = tableTo(backend.port);
    const table: RoutingTable = {
      ...good,
      hosts: good.hosts.map(({ host, rows }) => ({
        host,
        rows: [
          { path: { type: 'RegularExpression', value: '[' }, listeners: ['ns/gw/http'], rule: rows[0]?.rule ?? '' },
          ...rows,
        ],
      })),
    };
    const proxy = await proxyFor(table);
    assert.equal(await bodyFrom(proxy), 'fine');
    await eventually(() => proxy.status().skipped.length === 1, 'the status names it');
    const metrics = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
    assert.match(metrics, /^cftunnel_proxy_table_skipped 1$/m);
  });

  it('swaps under load lose and misroute nothing', async () => {
    const backends = [await named('even'), await named('odd')];
    const tables = backends.map(({ port }) =>
      tableOf([{ backends: [{ weight: 1, backend: 'b' }] }], { b: { host: '127.0.0.1', port, protocol: 'http1' } }),
    );
    const proxy = await proxyFor(tables[0] as RoutingTable);
    const swapping = new AbortController();
    let served = 0;
    const client = async (): Promise<void> => {
      const connection = rawClient(proxy.port);
      for (let count = 1; !swapping.signal.aborted; count += 1) {
        connection.send(get('/'));
        await connection.until(
          (bytes) => bytes.split('HTTP/1.1 200 OK').length === count + 1 && /(?:even|odd)$/.test(bytes),
        );
        served += 1;
      }
    };
    const clients = Array.from({ length: 8 }, client);
    for (let index = 1; index <= 40; index += 1) {
      await proxy.load(renamed(tables[index % 2] as RoutingTable, `ns/v${index}`));
      assert.equal(await bodyFrom(proxy), index % 2 === 0 ? 'even' : 'odd');
    }
    swapping.abort();
    await Promise.all(clients);
    assert.ok(served > 40, `${served} requests were served meanwhile`);
  });
});
