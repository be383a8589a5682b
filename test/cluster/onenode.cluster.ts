import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { echoImage } from './build/images.ts';
import { clear, isTaken, readClaim } from './claim.ts';
import { startCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { until } from './launch.ts';
import { placeOf } from './place.ts';
import { isAlive } from './processes.ts';
import { controllerSettings } from '../../src/facts/settings.ts';

const { proxy: ownImage } = controllerSettings().spec.images;

/** A server that tells what it was asked, and its Service. */
const echo = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'echo', labels: { app: 'echo' } },
    spec: {
      containers: [
        {
          name: 'echo',
          image: echoImage,
          env: [
            { name: 'POD_NAME', value: 'echo' },
            { name: 'NAMESPACE', value: 'default' },
          ],
          readinessProbe: { tcpSocket: { port: 3000 }, periodSeconds: 1 },
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo' },
    spec: { selector: { app: 'echo' }, ports: [{ port: 80, targetPort: 3000 }] },
  },
];

/** A pod of our image, as restricted as ours are, that does nothing; with a mounted ConfigMap. */
const idle = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mounted' }, data: { value: 'old' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'idle' },
    spec: {
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'idle',
          image: ownImage,
          command: ['/app/bin/node', '--eval', 'setInterval(() => {}, 1000)'],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [{ name: 'mounted', mountPath: '/mounted' }],
        },
      ],
      volumes: [{ name: 'mounted', configMap: { name: 'mounted' } }],
    },
  },
];

/** Processes of the machine that are in the network of another. */
function sharingNetwork(init: number): number[] {
  const network = (pid: number | string): string => {
    try {
      return readlinkSync(`/proc/${pid}/ns/net`);
    } catch {
      return '';
    }
  };
  const own = network(init);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => network(pid) === own).map(Number);
}

function assertNothingLeft(number: number): void {
  const place = placeOf(number);
  assert.ok(!existsSync(place.folder), 'the folder');
  assert.ok(!readFileSync('/proc/mounts', 'utf8').includes(place.folder), 'mounts');
  assert.ok(!Object.hasOwn(networkInterfaces(), place.link), 'the link');
  const hierarchies = readdirSync('/sys/fs/cgroup').map((name) => `/sys/fs/cgroup/${name}/${place.cgroup}`);
  assert.deepEqual(
    [`/sys/fs/cgroup/${place.cgroup}`, ...hierarchies].filter((path) => existsSync(path)),
    [],
    'cgroups',
  );
}

describe('a cluster of one node', function () {
  // Building all of it takes a quarter of an hour where the cache lacks it.
  this.timeout(1_500_000);
  let cluster: Cluster;

  before(async () => {
    cluster = await startCluster({ ownImage: true });
    await cluster.kubectl(['apply', '--server-side', '-f', '-'], [...echo, ...idle]);
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod', '--all', '--timeout=120s']);
  });

  after(() => cluster.stop());

  /** Runs JavaScript in the pod of our image. */
  const inPod = (script: string): Promise<string> =>
    cluster.kubectl(['exec', 'idle', '--', '/app/bin/node', '--input-type=module', '--eval', script]);

  it('runs pods and tells their logs', async () => {
    assert.match(await cluster.kubectl(['logs', 'echo']), /listening/i);
  });

  it('answers at the address of a Service: from this machine, from the node and from a pod', async () => {
    const address = await cluster.kubectl(['get', 'service', 'echo', '--output=jsonpath={.spec.clusterIP}']);
    const script = `const answer = await fetch('http://${address}/'); console.log((await answer.json()).pod);`;
    const answer = (await (await fetch(`http://${address}/`)).json()) as { pod: string };
    assert.equal(answer.pod, 'echo');
    const node = [process.execPath, '--input-type=module', '--eval', script];
    assert.equal((await cluster.inNode(node)).trim(), 'echo');
    assert.equal((await inPod(script)).trim(), 'echo');
  });

  it('resolves the names of Services in a pod, and no others', async () => {
    const script = `const answer = await fetch('http://echo.default.svc.cluster.local./'); console.log((await answer.json()).pod);`;
    assert.equal((await inPod(script)).trim(), 'echo');
    const lookup = (name: string): string =>
      `import dns from 'node:dns'; dns.lookup('${name}', (error) => console.log(error?.code));`;
    assert.match(await inPod(lookup('absent.default.svc.cluster.local.')), /ENOTFOUND/);
    assert.match(await inPod(lookup('example.com.')), /ENOTFOUND|EAI_AGAIN/);
  });

  it('leads nowhere but to this machine', async () => {
    const routes = await cluster.inNode(['ip', 'route']);
    assert.ok(!routes.includes('default'), routes);
  });

  it('lets pods reach what listens on the link to this machine', async () => {
    const server = createServer((_, response) => response.end('from outside'));
    await new Promise<void>((resolve) => void server.listen(0, cluster.outside, resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const script = `console.log(await (await fetch('http://${cluster.outside}:${port}/')).text());`;
      assert.equal((await inPod(script)).trim(), 'from outside');
    } finally {
      server.close();
    }
  });

  it('refreshes a mounted ConfigMap as soon as an annotation of the pod changes', async () => {
    const read = `import { readFileSync } from 'node:fs'; console.log(readFileSync('/mounted/value', 'utf8'));`;
    assert.equal((await inPod(read)).trim(), 'old');
    await cluster.kubectl(['patch', 'configmap', 'mounted', '--patch={"data":{"value":"new"}}']);
    await cluster.kubectl(['annotate', 'pod', 'idle', 'poke=1']);
    // The kubelet's own refresh comes about a minute later.
    await until(async () => (await inPod(read)).trim() === 'new', { what: 'the new value', limit: 20 });
  });

  it('runs beside a second one, which leaves nothing when it ends', async () => {
    const second = await startCluster();
    assert.notEqual(second.number, cluster.number);
    const { init } = readClaim(placeOf(second.number)) ?? {};
    const processes = sharingNetwork(init?.pid ?? 0);
    assert.ok(processes.length > 8, `${processes.length} processes`);
    try {
      await second.kubectl(['create', 'configmap', 'elsewhere']);
      await assert.rejects(cluster.kubectl(['get', 'configmap', 'elsewhere']), /NotFound/);
    } finally {
      await second.stop();
    }
    assert.deepEqual(
      processes.filter((pid) => isAlive(pid)),
      [],
    );
    assertNothingLeft(second.number);
    assert.match(await cluster.kubectl(['get', 'nodes']), / Ready /);
  });

  it('is cleared away by the next start when the run that started it was killed half-way', async () => {
    const number = 49;
    const place = placeOf(number);
    const main = fileURLToPath(new URL('main.ts', import.meta.url));
    const args = [main, '--number', String(number), 'up', '--no-image'];
    const owner = spawn(process.execPath, args, { stdio: 'ignore' });
    await until(() => existsSync(`${place.folder}/logs/kubelet.log`), { what: 'the start of the kubelet' });
    owner.kill('SIGKILL');
    await until(() => !isTaken(place), { what: 'the end of the owner', limit: 5 });
    const { init } = readClaim(place) ?? {};
    assert.ok(init !== undefined && isAlive(init.pid), 'it was meant to outlive its owner, so something is left');
    const next = await startCluster({ number });
    assert.ok(!isAlive(init.pid));
    assert.match(await next.kubectl(['get', 'nodes']), / Ready /);
    await next.stop();
    assertNothingLeft(number);
  });

  it('ends when the process that started it is killed', async () => {
    const number = 50;
    const place = placeOf(number);
    const script = `const { startCluster } = await import(${JSON.stringify(import.meta.resolve('./cluster.ts'))});
      await startCluster({ number: ${number} });`;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
    await until(() => readClaim(place)?.init !== undefined, { what: 'the node' });
    const { init } = readClaim(place) ?? {};
    owner.kill('SIGKILL');
    await until(() => !isAlive(init?.pid ?? 0), { what: 'the end of the node', limit: 5 });
    assert.ok(!isTaken(place));
    await clear(place);
    assertNothingLeft(number);
  });
});
