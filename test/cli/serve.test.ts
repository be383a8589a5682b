import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { collect, directory, shop, start } from './process.ts';

describe('cfgwctl serve', function suite() {
  this.timeout(60_000);
  const files = directory();
  let backend: Server;
  let child: ChildProcess | undefined;

  before(async () => {
    backend = createServer((req, res) => res.end(`${req.headers.host} ${req.url}`)).listen(0, '127.0.0.1');
    await once(backend, 'listening');
  });
  after(() => {
    backend.close();
    backend.closeAllConnections();
  });
  afterEach(async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });

  /** Starts serving `in.yaml`, with every temporary file below the test's own directory. */
  async function serving(...more: string[]): Promise<{ said: () => string; url: string; process: ChildProcess }> {
    const { port } = backend.address() as AddressInfo;
    const args = ['--gateway', 'shop/web', '--listen', '127.0.0.1:0', '--backend', `shop/cart:80=127.0.0.1:${port}`];
    child = start(['serve', '-f', `${files.path}/in.yaml`, ...args, ...more], { TMPDIR: files.path });
    const said = collect(child, 'stderr');
    await until(() => said().includes('serving Gateway'), said);
    return { said, url: /on (http:\/\/[^,]+), table/.exec(said())?.[1] ?? '', process: child };
  }

  async function until(holds: () => boolean, said: () => string): Promise<void> {
    for (let turn = 0; turn < 1500 && !holds(); turn += 1) await sleep(20);
    assert.ok(holds(), said());
  }

  function get(url: string, path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      request(`${url}${path}`, { headers: { host: 'www.shop.example' }, agent: false }, (res) => {
        let body = '';
        res.setEncoding('utf8').on('data', (part: string) => (body += part));
        res.on('end', () => resolve(`${res.statusCode} ${body.trim()}`));
      })
        .on('error', reject)
        .end();
    });
  }

  it('serves the table of the Gateway, follows the files, and keeps the last good table', async () => {
    files.write('in.yaml', shop);
    const { said, url } = await serving();
    assert.equal(await get(url, '/cart/1'), '200 www.shop.example /cart/1');
    assert.equal(await get(url, '/basket'), '404 no matching route');

    files.write('in.yaml', shop.replace('value: /cart', 'value: /basket'));
    await until(() => said().includes('reloaded'), said);
    assert.match(said(), /\n1 object changed: reloaded, table [0-9a-f]{12}, 1 rule\n/);
    assert.equal(await get(url, '/basket'), '200 www.shop.example /basket');
    assert.equal(await get(url, '/cart'), '404 no matching route');

    files.write('in.yaml', `${shop}---\nkind: [`);
    await until(() => said().includes('not reloaded'), said);
    assert.match(said(), /in\.yaml:\d+:\d+: error: /);
    assert.equal(await get(url, '/basket'), '200 www.shop.example /basket');

    files.write('in.yaml', shop.replaceAll('namespace: shop', 'namespace: other'));
    await until(() => said().includes('Gateway shop/web is not among the files: there are other/web'), said);
    assert.equal(await get(url, '/basket'), '200 www.shop.example /basket');

    files.write('in.yaml', shop);
    await until(() => (said().match(/: reloaded/g) ?? []).length === 2, said);
    assert.equal(await get(url, '/cart'), '200 www.shop.example /cart');
  });

  it('ends with 0 at a signal and leaves no file behind', async () => {
    files.write('in.yaml', shop);
    const { process: serve } = await serving('--admin', '127.0.0.1:0');
    const isOurs = (name: string): boolean => name.startsWith('cfgwctl-serve-');
    assert.ok(readdirSync(files.path).some(isOurs));
    serve.kill('SIGTERM');
    const [code] = (await once(serve, 'close')) as [number | null];
    assert.equal(code, 0);
    assert.equal(readdirSync(files.path).some(isOurs), false);
    assert.ok(existsSync(`${files.path}/in.yaml`));
  });

  it('says in one sentence that an address is taken', async () => {
    files.write('in.yaml', shop);
    const { port } = backend.address() as AddressInfo;
    child = start(['serve', '-f', `${files.path}/in.yaml`, '--gateway', 'shop/web', '--listen', `127.0.0.1:${port}`], {
      TMPDIR: files.path,
    });
    const said = collect(child, 'stderr');
    const [code] = (await once(child, 'close')) as [number | null];
    assert.equal(code, 2);
    assert.match(said(), /error: .*EADDRINUSE/);
    assert.deepEqual(readdirSync(files.path), ['in.yaml']);
  });
});
