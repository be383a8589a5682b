import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startApiServer, type ApiServer } from '../cluster/apiserver.ts';
import { programsOf } from '../cluster/build/programs.ts';
import { chart, helmIn } from './helm.ts';

const names = {
  release: 'cfgw',
  namespace: 'gateways',
  account: 'system:serviceaccount:gateways:cfgw-cloudflare-gateway-controller',
};

/** The chart and a real API server: installed before the Gateway API is, upgraded, uninstalled, installed again. No pod runs. */
describe('chart: installed by helm', function () {
  this.timeout(60_000);
  let server: ApiServer;

  before(async function () {
    // Building Kubernetes takes ten minutes where the cache lacks it.
    this.timeout(1_500_000);
    server = await startApiServer({ crds: false });
  });

  after(() => server.stop());

  const helm = async (command: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await helmIn(server.kubeconfig, command, '--namespace', names.namespace, ...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const release = (command: string, ...values: string[]): Promise<string> => {
    const given = ['config.clusterName=production', ...values].flatMap((value) => ['--set', value]);
    return helm(command, names.release, chart, ...given, ...(command === 'install' ? ['--create-namespace'] : []));
  };
  const list = async (kind: string): Promise<string[]> =>
    (await server.kubectl(['get', kind, '--all-namespaces', '--output=name']))
      .split('\n')
      .filter((line) => line !== '');

  it('without the Gateway API: says so, and makes no GatewayClass', async () => {
    const notes = await release('install');
    assert.match(notes, /the Gateway API is not installed in this cluster, so no GatewayClass was made/);
    assert.equal((await list('deployments')).length, 1);
    const crds = await list('customresourcedefinitions');
    assert.equal(crds.length, 5);
    assert.ok(crds.every((name) => !name.endsWith('.gateway.networking.k8s.io')));
  });

  it('upgraded once the Gateway API is there: makes it, with every switch that needs no other CRD', async () => {
    await gatewayApi(server);
    await server.kubectl(['create', 'namespace', 'shop']);
    const notes = await release(
      'upgrade',
      'gatewayClass.secretRef.name=cloudflare,gatewayClass.secretRef.allowedNamespaces={shop}',
      'ruleNameUniquenessPolicy.enabled=true,dashboards.enabled=true,networkPolicy.egress.enabled=true',
    );
    assert.doesNotMatch(notes, /NOTE:/);
    assert.deepEqual(await list('gatewayclasses'), ['gatewayclass.gateway.networking.k8s.io/cloudflare']);
    assert.equal((await list('referencegrants')).length, 1);
  });

  it('gives the controller the rights it needs, and no others', async () => {
    const may = async (...right: string[]): Promise<boolean> => {
      const answer = await server
        .kubectl(['auth', 'can-i', ...right, '--as', names.account])
        .catch((error: Error) => error.message);
      return answer.startsWith('yes');
    };
    assert.ok(await may('patch', 'gateways.gateway.networking.k8s.io', '--subresource=status', '--namespace=shop'));
    assert.ok(await may('create', 'deployments.apps', '--namespace=shop'));
    const lease = 'leases.coordination.k8s.io/cloudflare-gateway-controller-leader';
    assert.ok(await may('patch', lease, '--namespace=gateways'));
    assert.ok(!(await may('patch', lease, '--namespace=shop')));
    assert.ok(!(await may('patch', 'leases.coordination.k8s.io/other', '--namespace=gateways')));
    assert.ok(!(await may('create', 'pods', '--namespace=shop')));
    assert.ok(!(await may('delete', 'httproutes.gateway.networking.k8s.io', '--namespace=shop')));
    assert.ok(!(await may('create', 'clusterrolebindings.rbac.authorization.k8s.io')));
  });

  it('refuses two rules of one name where the CRD does not', async () => {
    await withoutRules(server, 'httproutes.gateway.networking.k8s.io');
    const route = (...rules: string[]): object => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'named', namespace: 'shop' },
      spec: { rules: rules.map((name) => ({ name })) },
    });
    // The policy takes effect a moment after it is made, and so does the changed kind.
    for (let attempt = 1; ; attempt += 1) {
      const message = await create(server, route('a', 'a'));
      if (message.includes('two rules have the same name')) break;
      assert.ok(attempt < 50, message);
    }
    assert.equal(await create(server, route('a', 'b')), '');
  });

  it('upgraded with the same values: changes no object', async () => {
    const versions = (): Promise<string> =>
      server.kubectl([
        'get',
        'deployments,configmaps,clusterroles,serviceaccounts,gatewayclasses,networkpolicies,poddisruptionbudgets,customresourcedefinitions',
        '--all-namespaces',
        '--selector=app.kubernetes.io/instance=cfgw',
        '--output=custom-columns=:.kind,:.metadata.name,:.metadata.resourceVersion',
      ]);
    // The first update of a GatewayClass stores the status that its CRD has by default.
    await helm('upgrade', names.release, chart, '--reuse-values');
    const before = await versions();
    await helm('upgrade', names.release, chart, '--reuse-values');
    assert.equal(await versions(), before);
    assert.ok(before.split('\n').length > 8, before);
  });

  it('uninstalled with Gateways alive: leaves them, their class and all CRDs; installed again it has them back', async () => {
    await server.kubectl(['create', '-f', '-'], {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { gatewayClassName: 'cloudflare', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    });
    const crds = await list('customresourcedefinitions');
    await helm('uninstall', names.release);
    assert.deepEqual(await list('customresourcedefinitions'), crds);
    assert.equal((await list('gateways')).length, 1);
    assert.deepEqual(await list('gatewayclasses'), ['gatewayclass.gateway.networking.k8s.io/cloudflare']);
    assert.deepEqual(await list('deployments'), []);
    // The Gateway API brings one of its own.
    const policies = await list('validatingadmissionpolicies');
    assert.deepEqual(
      policies.filter((name) => name.includes(names.release)),
      [],
    );
    await release('install');
    assert.equal((await list('deployments')).length, 1);
  });
});

/** The CRDs of the Gateway API, experimental channel. */
async function gatewayApi(server: ApiServer): Promise<void> {
  const folder = join(await programsOf('gateway-api', () => {}), 'crds');
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  await server.kubectl(['apply', '--server-side', ...files.flatMap((name) => ['-f', join(folder, name)])]);
  await server.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s']);
}

/** Takes the CEL rules from a CRD, as the Standard channel lacks the one in question. */
async function withoutRules(server: ApiServer, crd: string): Promise<void> {
  const text = await server.kubectl(['get', 'crd', crd, '--output=json']);
  const isRule = (key: string): boolean => key === 'x-kubernetes-validations';
  const stripped = JSON.parse(text, (key, value: unknown) => (isRule(key) ? undefined : value)) as object;
  await server.kubectl(['replace', '-f', '-'], stripped);
}

/** The error, or nothing. */
async function create(server: ApiServer, object: object): Promise<string> {
  try {
    await server.kubectl(['create', '--dry-run=server', '-f', '-'], object);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
