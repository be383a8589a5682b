import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { echoImage } from './build/images.ts';
import { startCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { until } from './launch.ts';
import { installed, installOperator } from './operator.ts';
import type { InstalledOperator } from './operator.ts';

const host = 'echo.example.com';

/** A shop with a server that tells what it was asked, and a Gateway to it. */
const shop = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'echo', namespace: 'shop', labels: { app: 'echo' } },
    spec: {
      containers: [
        {
          name: 'echo',
          image: echoImage,
          env: [
            { name: 'POD_NAME', value: 'echo' },
            { name: 'NAMESPACE', value: 'shop' },
          ],
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'echo', namespace: 'shop' },
    spec: { selector: { app: 'echo' }, ports: [{ port: 80, targetPort: 3000 }] },
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'Gateway',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      gatewayClassName: installed.gatewayClass,
      listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }],
    },
  },
  {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'echo', namespace: 'shop' },
    spec: {
      parentRefs: [{ name: 'web' }],
      hostnames: [host],
      rules: [{ backendRefs: [{ name: 'echo', port: 80 }] }],
    },
  },
];

/** What the operator makes of a Gateway, by kind. */
const made = 'deployments,pods,services,configmaps,secrets,serviceaccounts,networkpolicies,poddisruptionbudgets';

describe('the operator in a cluster, installed by helm', function () {
  this.timeout(300_000);
  let cluster: Cluster;
  let operator: InstalledOperator;

  before(async function () {
    // Building all of it takes a quarter of an hour where the cache lacks it.
    this.timeout(1_500_000);
    cluster = await startCluster({ ownImage: true });
    operator = await installOperator(cluster, {
      values: { config: { gatewayDefaults: { service: { type: 'ClusterIP' }, tunnel: { minReadySeconds: 0 } } } },
    });
    await cluster.kubectl(['apply', '--server-side', '-f', '-'], shop);
    await cluster.kubectl(['-n', 'shop', 'wait', '--for=condition=Programmed', 'gateway/web', '--timeout=120s']);
  });

  after(() => cluster?.stop());

  const get = (...args: string[]): Promise<string> => cluster.kubectl(['-n', 'shop', 'get', ...args]);
  const ours = ['-l', 'app.kubernetes.io/managed-by=cloudflare-gateway-controller'];

  /** The connector's own port, at which the edge would be. */
  const edge = async (): Promise<string> => {
    const address = await get('pods', ...ours, '-o', 'jsonpath={.items[0].status.podIP}');
    return `http://${address}:7844`;
  };

  const cloudflare = async (): Promise<{ tunnels: { deletedAt?: string }[]; records: { name: string }[] }> =>
    (await fetch(`${operator.cloudflare}/world/state`)).json() as ReturnType<typeof cloudflare>;

  it('serves through the tunnel: edge, connector, proxy, Service', async () => {
    const url = await edge();
    await until(async () => (await ask(url)).status === 200, { what: 'an answer through the tunnel' });
    const { body } = await ask(url);
    assert.equal((JSON.parse(body) as { pod: string }).pod, 'echo');
    assert.equal((await ask(url, 'other.example.com')).status, 404);
  });

  it('serves at the address that the Gateway tells, inside the cluster', async () => {
    const [address = '', tunnel] = (await get('gateway', 'web', '-o', 'jsonpath={.status.addresses[*].value}')).split(
      ' ',
    );
    assert.equal(address, await get('service', 'gateway-web', '-o', 'jsonpath={.spec.clusterIP}'));
    assert.match(tunnel ?? '', /\.cfargotunnel\.com$/);
    const { status, body } = await ask(`http://${address}`);
    assert.equal(status, 200);
    assert.equal((JSON.parse(body) as { pod: string }).pod, 'echo');
  });

  it('has its hostname in DNS', async () => {
    await until(async () => (await cloudflare()).records.some(({ name }) => name === host), { what: 'the record' });
  });

  it('serves a changed route at once', async () => {
    const url = await edge();
    const times: number[] = [];
    for (let version = 1; version <= 20; version += 1) {
      const filter = {
        type: 'ResponseHeaderModifier',
        responseHeaderModifier: { set: [{ name: 'x-version', value: `${version}` }] },
      };
      const patch = [{ op: 'add', path: '/spec/rules/0/filters', value: [filter] }];
      const begun = performance.now();
      await cluster.kubectl(['-n', 'shop', 'patch', 'httproute', 'echo', '--type=json', '-p', JSON.stringify(patch)]);
      await until(async () => (await ask(url)).version === `${version}`, { what: 'the changed route' });
      times.push(performance.now() - begun);
    }
    const median = times.toSorted((a, b) => a - b)[10] ?? 0;
    const slowest = Math.max(...times);
    console.log(
      `      kubectl patch to served: median of ${times.length} ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`,
    );
  });

  it('is upgraded without a request lost, a pod of the data plane replaced or a Secret made anew', async () => {
    const url = await edge();
    const identity = (): Promise<string> =>
      get('pods,secrets,deployments', ...ours, '-o', 'jsonpath={range .items[*]}{.kind}/{.metadata.uid} {end}');
    const before = await identity();
    const upgraded = operator.upgrade({
      config: {
        logLevel: 'debug',
        gatewayDefaults: { service: { type: 'ClusterIP' }, tunnel: { minReadySeconds: 0 } },
      },
    });
    const done = new AbortController();
    void upgraded.finally(() => done.abort()).catch(() => undefined);
    const failed: number[] = [];
    while (!done.signal.aborted) {
      const { status } = await ask(url);
      if (status !== 200) failed.push(status);
    }
    await upgraded;
    await cluster.kubectl(['-n', 'shop', 'annotate', 'httproute', 'echo', 'touched=1']);
    assert.deepEqual(failed, []);
    assert.equal(await identity(), before);
  });

  it('takes up a change after the upgrade', async () => {
    const patch = [{ op: 'replace', path: '/spec/hostnames/0', value: 'later.example.com' }];
    await cluster.kubectl(['-n', 'shop', 'patch', 'httproute', 'echo', '--type=json', '-p', JSON.stringify(patch)]);
    const url = await edge();
    await until(async () => (await ask(url, 'later.example.com')).status === 200, { what: 'the new hostname' });
    await until(async () => (await cloudflare()).records.map(({ name }) => name).join(' ') === 'later.example.com', {
      what: 'its record in the place of the old one',
    });
  });

  it('leaves nothing of a Gateway that is deleted', async () => {
    await cluster.kubectl(['-n', 'shop', 'delete', 'gateway', 'web', '--timeout=120s']);
    await until(async () => (await get(made, ...ours, '-o', 'name')).trim() === '', { what: 'the end of its objects' });
    const { tunnels, records } = await cloudflare();
    assert.deepEqual(records, []);
    assert.deepEqual(
      tunnels.filter(({ deletedAt }) => deletedAt === undefined),
      [],
    );
  });
});

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Header x-version. */
  readonly version: string | undefined;
}

/** A request for a host at an address that is not the host's. */
async function ask(url: string, name = host): Promise<Answer> {
  const sent = request(url, { headers: { host: name }, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(answer);
  return { status: answer.statusCode ?? 0, body, version: answer.headers['x-version'] as string | undefined };
}
