import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeTable } from '../../src/table/encode.ts';
import {
  answering,
  atEnd,
  cleanUp,
  eventually,
  exchange,
  get,
  ok,
  rawBackend,
  rawClient,
  responseOf,
  tableTo,
} from './harness.ts';

const program = fileURLToPath(new URL('../../src/proxy/main.ts', import.meta.url));

interface Running {
  readonly child: ChildProcess;
  lines(): Record<string, unknown>[];
  readonly exited: Promise<number | NodeJS.Signals | null>;
  /** Port of the tunnel door, once it listens. */
  port(): Promise<number>;
}

function run(...args: readonly string[]): Running {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  atEnd(() => void child.kill('SIGKILL'));
  const lines = (): Record<string, unknown>[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    child,
    lines,
    exited: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))),
    async port() {
      const listening = (): Record<string, unknown> | undefined =>
        lines().find((line) => line['message'] === 'listening');
      await eventually(() => listening() !== undefined, 'it listens');
      return Number(new URL(String(listening()?.['url'])).port);
    },
  };
}

async function tableFile(port: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'process-'));
  atEnd(() => rm(directory, { recursive: true }));
  const path = join(directory, 'table.json');
  await writeFile(path, encodeTable(tableTo(port)));
  return path;
}

const addresses = ['--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];

describe('wire: the proxy as a process', () => {
  afterEach(cleanUp);

  it('SIGTERM: what is in flight finishes, the exit code is 0', async () => {
    const backend = await rawBackend((socket) => setTimeout(() => socket.write(ok), 300));
    const proxy = run(...addresses, '--table', await tableFile(backend.port));
    const port = await proxy.port();
    await eventually(
      () => proxy.lines().some((line) => line['message'] === 'routing table loaded'),
      'the table is loaded',
    );
    const client = rawClient(port);
    client.send(get('/'));
    await eventually(() => backend.received.length === 1, 'the backend is asked');
    proxy.child.kill('SIGTERM');
    assert.equal(responseOf((await client.end()).bytes)?.status, 200);
    assert.equal(await proxy.exited, 0);
    assert.ok(proxy.lines().some((line) => line['message'] === 'draining'));
  });

  it('a second signal ends it at once', async () => {
    const backend = await rawBackend(() => {});
    const proxy = run(...addresses, '--table', await tableFile(backend.port), '--grace-period', '600');
    const port = await proxy.port();
    await eventually(
      () => proxy.lines().some((line) => line['message'] === 'routing table loaded'),
      'the table is loaded',
    );
    rawClient(port).send(get('/'));
    await eventually(() => backend.received.length === 1, 'the backend is asked');
    proxy.child.kill('SIGTERM');
    await eventually(() => proxy.lines().some((line) => line['message'] === 'draining'), 'it drains');
    proxy.child.kill('SIGTERM');
    assert.equal(await proxy.exited, 1);
  });

  it('exits with 1 if no valid table came in time, saying why', async () => {
    const proxy = run(...addresses, '--table', join(tmpdir(), 'no-such-table'), '--first-table', '0.3');
    assert.equal(await proxy.exited, 1);
    const line = proxy.lines().find(({ message }) => message === 'no valid routing table came in time');
    assert.match(String(line?.['reason']), /no-such-table/);
  });

  it('exits with 1 if the address is taken', async () => {
    const backend = await answering(ok);
    const proxy = run('--listen', `127.0.0.1:${backend.port}`, '--admin', '127.0.0.1:0', '--table', await tableFile(1));
    assert.equal(await proxy.exited, 1);
    assert.ok(proxy.lines().some((line) => line['message'] === 'the proxy cannot start'));
  });

  for (const args of [
    [],
    ['--table'],
    ['--table', 'x', '--listen', 'nowhere'],
    ['--table', 'x', '--grace-period', 'soon'],
    ['--unknown'],
    ['--table', 'x', '--access-log', '2'],
  ]) {
    it(`exits with 2 for the arguments ${JSON.stringify(args)}`, async () => {
      assert.equal(await run(...args).exited, 2);
    });
  }

  it('writes an access line with the query left out', async () => {
    const backend = await answering(ok);
    const proxy = run(
      ...addresses,
      '--table',
      await tableFile(backend.port),
      '--access-log',
      '1',
      '--access-log-no-query',
    );
    const port = await proxy.port();
    await eventually(
      () => proxy.lines().some((line) => line['message'] === 'routing table loaded'),
      'the table is loaded',
    );
    await exchange(port, get('/path?secret=1', 'User-Agent: me'));
    const access = (): Record<string, unknown> | undefined =>
      proxy.lines().find((line) => line['message'] === 'access');
    await eventually(() => access() !== undefined, 'the line is written');
    const { method, host, path, query, status, bytes_written, user_agent } = access() ?? {};
    assert.deepEqual(
      [method, host, path, query, status, bytes_written, user_agent],
      ['GET', 'app.example.com', '/path', undefined, 200, 2, 'me'],
    );
  });
});
