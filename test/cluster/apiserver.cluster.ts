import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { startApiServer } from './apiserver.ts';
import type { ApiServer } from './apiserver.ts';
import { until } from './launch.ts';
import { childrenOf, isAlive } from './processes.ts';

const configMap = (name: string, value: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
});

describe('an API server alone', function () {
  // Building Kubernetes takes ten minutes where the cache lacks it.
  this.timeout(1_500_000);
  let server: ApiServer;

  before(async () => {
    server = await startApiServer({ audit: 'Metadata', controllers: ['namespace-controller'] });
  });

  after(() => server.stop());

  it('serves the kinds of the Gateway API and our own', async () => {
    const kinds = await server.kubectl(['get', 'crd', '--output=name']);
    for (const name of ['httproutes', 'listenersets', 'udproutes'])
      assert.ok(kinds.includes(`/${name}.gateway.`), name);
    assert.ok(kinds.includes('/cloudflaregatewayparameters.cloudflare-gateway-controller.io'));
  });

  it('judges as a cluster does', async () => {
    const gateway = {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'a', namespace: 'default' },
      spec: { gatewayClassName: 'c', listeners: [{ name: 'l', port: 0, protocol: 'HTTP' }] },
    };
    await assert.rejects(
      server.kubectl(['create', '-f', '-'], gateway),
      /spec\.listeners\[0\]\.port.*greater than or equal to 1/,
    );
  });

  it('deletes a namespace when the controller for it runs beside it', async () => {
    await server.kubectl(['create', 'namespace', 'gone']);
    await server.kubectl(['delete', 'namespace', 'gone', '--timeout=60s']);
  });

  it('answers nobody while it is frozen, and everybody after', async () => {
    server.pause();
    try {
      await assert.rejects(server.kubectl(['get', 'namespaces', '--request-timeout=1s']), /Timeout|deadline/);
    } finally {
      server.resume();
    }
    assert.match(await server.kubectl(['get', 'namespaces']), /default/);
  });

  it('keeps its data and its address when it is restarted', async () => {
    await server.kubectl(['apply', '--server-side', '-f', '-'], configMap('kept', 'yes'));
    await server.restart();
    assert.equal(await server.kubectl(['get', 'configmap', 'kept', '--output=jsonpath={.data.value}']), 'yes');
  });

  it('writes down who asked for what', () => {
    const lines = readFileSync(server.audit, 'utf8').trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { verb: string; objectRef?: { name?: string } });
    assert.ok(events.some(({ verb, objectRef }) => verb === 'patch' && objectRef?.name === 'kept'));
  });

  it('runs beside another, and leaves nothing when stopped', async () => {
    const other = await startApiServer({ crds: false });
    const programs = childrenOf(process.pid);
    await other.kubectl(['apply', '--server-side', '-f', '-'], configMap('elsewhere', 'yes'));
    await assert.rejects(server.kubectl(['get', 'configmap', 'elsewhere']), /NotFound/);
    await other.stop();
    assert.ok(!existsSync(other.folder));
    assert.equal(programs.filter((pid) => isAlive(pid)).length, programs.length - 2);
  });

  it('ends when the process that started it is killed', async () => {
    const script = `const { startApiServer } = await import(${JSON.stringify(import.meta.resolve('./apiserver.ts'))});
      const { folder } = await startApiServer({ crds: false });
      console.log(folder);
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [folder] = (await once(owner.stdout.setEncoding('utf8'), 'data')) as [string];
    const programs = childrenOf(owner.pid ?? 0);
    assert.equal(programs.length, 2);
    owner.kill('SIGKILL');
    await until(() => !programs.some((pid) => isAlive(pid)), { what: 'the end of its programs', limit: 20 });
    await (await startApiServer({ crds: false })).stop();
    assert.ok(!existsSync(folder.trim()), 'the next start removes the folder');
  });
});
