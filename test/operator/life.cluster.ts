import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { controllerSettings } from '../../src/facts/settings.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { startOperator, type RunningOperator } from '../../src/operator/operator.ts';
import { startApiServer, type ApiServer } from '../cluster/apiserver.ts';
import { startCloudflareApi } from '../world/cloudflare-api/server.ts';

const world = `
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: operator}
---
apiVersion: v1
kind: Secret
metadata: {name: cloudflare, namespace: shop}
stringData: {CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: "00000000000000000000000000000001"}
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: cloudflare}
spec:
  controllerName: cloudflare-gateway-controller.io/controller
  parametersRef: {group: "", kind: Secret, namespace: shop, name: cloudflare}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: web, namespace: shop}
spec:
  gatewayClassName: cloudflare
  listeners: [{name: http, port: 80, protocol: HTTP, hostname: "*.example.com"}]
---
apiVersion: v1
kind: Service
metadata: {name: cart, namespace: shop}
spec: {selector: {app: cart}, ports: [{port: 80}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: cart, namespace: shop}
spec:
  parentRefs: [{name: web}]
  hostnames: [cart.example.com]
  rules: [{backendRefs: [{name: cart, port: 80}]}]
`;

describe('the operator on a real API server', function () {
  this.timeout(180_000);
  let server: ApiServer;
  let cloudflare: Awaited<ReturnType<typeof startCloudflareApi>>;
  let operator: RunningOperator | undefined;

  before(async () => {
    server = await startApiServer({ controllers: ['namespace-controller', 'garbage-collector-controller'] });
    cloudflare = await startCloudflareApi({ zones: ['example.com'] });
    await server.kubectl(['apply', '-f', '-'], world);
    operator = await start();
  });

  after(async () => {
    await operator?.stop();
    await cloudflare.close();
    await server.stop();
  });

  async function start(): Promise<RunningOperator> {
    return startOperator(
      {
        settings: controllerSettings({ controllerNamespace: 'operator' }),
        logLevel: 'info',
        healthPort: 0,
        metricsPort: 0,
        maxConcurrentRollouts: 5,
        leaderElection: { enabled: true, namespace: 'operator', name: 'leader' },
        cloudflareApi: cloudflare.baseUrl,
      },
      { kubeconfig: server.kubeconfig },
      createLogger({ level: process.env['LOG'] === '1' ? 'debug' : 'error' }),
    );
  }

  const get = async (...args: string[]): Promise<string> => {
    return server.kubectl(['-n', 'shop', 'get', ...args]);
  };

  /** Asks until the answer is as wanted; the last answer is told if it never is. */
  async function eventually(wanted: string, ask: () => Promise<string>): Promise<void> {
    let last = '';
    for (let left = 150; left > 0; left -= 1) {
      last = await ask().catch((error: unknown) => String(error));
      if (last === wanted) return;
      await sleep(200);
    }
    assert.equal(last, wanted);
  }

  it('makes everything of a Gateway', async () => {
    await eventually('deployment.apps/gateway-web-primary', async () =>
      (await get('deployments', '-o', 'name')).trim(),
    );
    const names = (
      await get(
        'configmaps,secrets,serviceaccounts,networkpolicies',
        '-l',
        'app.kubernetes.io/instance=web',
        '-o',
        'name',
      )
    )
      .trim()
      .split('\n');
    assert.deepEqual(names.toSorted(), [
      'configmap/gateway-web',
      'configmap/gateway-web-endpoints',
      'networkpolicy.networking.k8s.io/gateway-web',
      'secret/gateway-web',
      'serviceaccount/gateway-web',
    ]);
  });

  it('writes statuses: the route is accepted and its record applied', async () => {
    const route = '{.status.parents[0].conditions[?(@.type=="DNSRecordsApplied")].status}';
    await eventually('True', async () => get('httproute', 'cart', '-o', `jsonpath=${route}`));
    const address = '{.status.addresses[0].value}';
    assert.match(await get('gateway', 'web', '-o', `jsonpath=${address}`), /^[0-9a-f-]{36}\.cfargotunnel\.com$/);
  });

  it('shows what was made, and holds the class while it is used', async () => {
    await eventually('gateway-exists-finalizer.gateway.networking.k8s.io', async () =>
      get('gatewayclass', 'cloudflare', '-o', 'jsonpath={.metadata.finalizers[0]}'),
    );
    await eventually('Deployment', async () =>
      get('cgs', 'web', '-o', 'jsonpath={.status.inventory[?(@.kind=="Deployment")].kind}'),
    );
  });

  it('tells what is wrong as an event, once', async () => {
    const bad = `{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: bad, namespace: shop}, spec: {parentRefs: [{name: web}], hostnames: [bad.example.com], rules: [{backendRefs: [{name: missing, port: 80}]}]}}`;
    await server.kubectl(['apply', '-f', '-'], bad);
    await eventually('Service shop/missing does not exist', async () =>
      get('events.events.k8s.io', '--field-selector', 'reason=BackendNotFound', '-o', 'jsonpath={.items[*].note}'),
    );
    await server.kubectl(['-n', 'shop', 'delete', 'httproute', 'bad']);
    await eventually('cart.example.com', async () => cloudflareNames().join(' '));
  });

  it('is silent once all is as it should be', async () => {
    await sleep(1500);
    const before = await get(
      'all,configmaps,secrets,gateways,httproutes',
      '-o',
      'jsonpath={range .items[*]}{.metadata.resourceVersion} {end}',
    );
    const calls = cloudflare.calls().length;
    await server.kubectl(['-n', 'shop', 'annotate', 'service', 'cart', 'touched=1']);
    await sleep(2000);
    const after = await get(
      'all,configmaps,secrets,gateways,httproutes',
      '-o',
      'jsonpath={range .items[*]}{.metadata.resourceVersion} {end}',
    );
    const changed = after.split(' ').filter((version) => !before.split(' ').includes(version));
    assert.equal(changed.length, 1, 'only the Service that was touched is another');
    assert.equal(cloudflare.calls().length, calls);
  });

  it('brings back what somebody changed or deleted', async () => {
    await server.kubectl(['-n', 'shop', 'delete', 'configmap', 'gateway-web']);
    await eventually('gateway-web', async () => get('configmap', 'gateway-web', '-o', 'jsonpath={.metadata.name}'));
    await server.kubectl([
      '-n',
      'shop',
      'patch',
      'deployment',
      'gateway-web-primary',
      '--type=merge',
      '-p',
      '{"spec":{"replicas":3}}',
    ]);
    await eventually('1', async () => get('deployment', 'gateway-web-primary', '-o', 'jsonpath={.spec.replicas}'));
  });

  it('writes a status again that is no longer there, as after an object was made anew', async () => {
    const accepted = '{.status.parents[0].conditions[?(@.type=="Accepted")].status}';
    const wiped = ['--subresource=status', '--type=merge', '-p', '{"status":{"parents":[]}}'];
    await server.kubectl(['-n', 'shop', 'patch', 'httproute', 'cart', ...wiped]);
    await eventually('True', async () => get('httproute', 'cart', '-o', `jsonpath=${accepted}`));
  });

  it('follows a change of a route', async () => {
    await server.kubectl([
      '-n',
      'shop',
      'patch',
      'httproute',
      'cart',
      '--type=json',
      '-p',
      '[{"op":"replace","path":"/spec/hostnames/0","value":"new.example.com"}]',
    ]);
    await eventually('true', async () =>
      String((await get('configmap', 'gateway-web', '-o', 'jsonpath={.data}')).includes('new.example.com')),
    );
    await eventually('new.example.com', async () => cloudflareNames().join(' '));
  });

  function cloudflareNames(): string[] {
    return cloudflare.state.records.map(({ name }) => name);
  }

  it('goes on where another stopped', async () => {
    await operator?.stop();
    await server.kubectl([
      '-n',
      'shop',
      'patch',
      'httproute',
      'cart',
      '--type=json',
      '-p',
      '[{"op":"replace","path":"/spec/hostnames/0","value":"later.example.com"}]',
    ]);
    operator = await start();
    await eventually('later.example.com', async () => cloudflareNames().join(' '));
  });

  it('leaves nothing of a Gateway that is deleted', async () => {
    await server.kubectl(['-n', 'shop', 'delete', 'gateway', 'web', '--timeout=60s']);
    await eventually('', async () =>
      (
        await get(
          'deployments,configmaps,secrets,networkpolicies',
          '-l',
          'app.kubernetes.io/managed-by=cloudflare-gateway-controller',
          '-o',
          'name',
        )
      ).trim(),
    );
    assert.deepEqual(cloudflareNames(), []);
    await eventually('', async () => get('gatewayclass', 'cloudflare', '-o', 'jsonpath={.metadata.finalizers[0]}'));
    assert.deepEqual(
      cloudflare.state.tunnels.filter(({ deletedAt }) => deletedAt === undefined),
      [],
    );
  });
});
