import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { startApiServer, type ApiServer } from '../cluster/apiserver.ts';
import { startCloudflareApi, type CloudflareApi } from '../world/cloudflare-api/server.ts';
import { apiServerOf, startWriteGate } from './writegate.ts';

const program = fileURLToPath(new URL('../../src/operator/main.ts', import.meta.url));

/** Longer than an operator takes from its start to its first write, also on a busy machine. */
const quietMs = 5000;

/** A world of its own for each run, told from the others by its namespace. */
const worldIn = (namespace: string): string => `
apiVersion: v1
kind: Namespace
metadata: {name: ${namespace}}
---
apiVersion: v1
kind: Secret
metadata: {name: cloudflare, namespace: ${namespace}}
stringData: {CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: "00000000000000000000000000000001"}
---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: ${namespace}}
spec:
  controllerName: cloudflare-gateway-controller.io/controller
  parametersRef: {group: "", kind: Secret, namespace: ${namespace}, name: cloudflare}
---
apiVersion: v1
kind: Service
metadata: {name: cart, namespace: ${namespace}}
spec: {selector: {app: cart}, ports: [{port: 80}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: cart, namespace: ${namespace}}
spec:
  parentRefs: [{name: web}]
  hostnames: [cart.example.com]
  rules: [{backendRefs: [{name: cart, port: 80}]}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: web, namespace: ${namespace}}
spec:
  gatewayClassName: ${namespace}
  listeners: [{name: http, port: 80, protocol: HTTP}]
`;

describe('an operator that is killed after each single write', function () {
  this.timeout(600_000);
  let server: ApiServer;

  before(async () => {
    server = await startApiServer({ controllers: ['namespace-controller', 'garbage-collector-controller'] });
  });

  after(() => server.stop());

  it('comes to the same end, whichever write was its last', async () => {
    const whole = await run('w00', Infinity);
    assert.ok(whole.writes > 10, `${whole.writes} writes are too few to prove anything`);
    for (let last = 1; last <= whole.writes + 3; last += 1) {
      const { state, writes } = await run(`w${String(last).padStart(2, '0')}`, last);
      assert.deepEqual(differing(state, whole.state), [], `after write ${last}`);
      if (writes < last) return;
      if (process.env['LOG'] !== undefined) console.log(`write ${last} of ${whole.writes}`);
    }
  });

  /** The state in the end, of an operator that was killed after so many writes and started again. */
  async function run(
    namespace: string,
    dieAfter: number,
  ): Promise<{ state: string; writes: number; what: readonly string[] }> {
    const cloudflare = await startCloudflareApi({ zones: ['example.com'] });
    const what: string[] = [];
    let operator: ChildProcess | undefined;
    const written = (text: string): void => {
      what.push(text);
      if (what.length === dieAfter) operator?.kill('SIGKILL');
    };
    const api = await startWriteGate(apiServerOf(server.kubeconfig), written);
    const { hostname, port, pathname } = new URL(cloudflare.baseUrl);
    const edge = await startWriteGate({ protocol: 'http:', hostname, port }, written);
    const files = settings(namespace, api.url, `${edge.url}${pathname}`);
    await server.kubectl(['apply', '-f', '-'], worldIn(namespace));
    try {
      operator = start(files);
      if (dieAfter !== Infinity) {
        // How many writes there are depends on which changes fall together: one that never comes ends a whole run.
        const exit = once(operator, 'exit').then(() => true);
        const isKilled = await Promise.race([exit, settledState(namespace, cloudflare, what).then(() => false)]);
        if (isKilled) operator = start(files);
      }
      const state = await settledState(namespace, cloudflare, what);
      return { state, writes: what.length, what };
    } finally {
      operator?.kill('SIGKILL');
      await api.close();
      await edge.close();
      await cloudflare.close();
      await forget(namespace);
    }
  }

  /** The run is over: nobody is left to take its finalizers away. */
  async function forget(namespace: string): Promise<void> {
    const free = ['--type=merge', '-p', '{"metadata":{"finalizers":null}}'];
    const gone = (): undefined => undefined;
    await server.kubectl(['-n', namespace, 'delete', 'gateway', 'web', '--wait=false']).catch(gone);
    await server.kubectl(['-n', namespace, 'patch', 'gateway', 'web', ...free]).catch(gone);
    await server.kubectl(['delete', 'gatewayclass', namespace, '--wait=false']).catch(gone);
    await server.kubectl(['patch', 'gatewayclass', namespace, ...free]).catch(gone);
    await server.kubectl(['delete', 'namespace', namespace, '--wait=false']).catch(gone);
  }

  function settings(name: string, api: string, cloudflareApi: string): string[] {
    const config = join(server.folder, `${name}.yaml`);
    const kubeconfig = join(server.folder, `${name}.kubeconfig`);
    writeFileSync(
      config,
      stringify({
        healthPort: 0,
        metricsPort: 0,
        leaderElection: { enabled: false },
        cloudflareApi,
        logLevel: 'error',
      }),
    );
    writeFileSync(
      kubeconfig,
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'gate',
        clusters: [{ name: 'gate', cluster: { server: api, 'insecure-skip-tls-verify': true } }],
        users: [{ name: 'gate', user: {} }],
        contexts: [{ name: 'gate', context: { cluster: 'gate', user: 'gate' } }],
      }),
    );
    return ['--config', config, '--kubeconfig', kubeconfig];
  }

  function start(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** What there is once the operator has begun its work and then written nothing for a while. */
  async function settledState(namespace: string, cloudflare: CloudflareApi, what: readonly string[]): Promise<string> {
    let seen = -1;
    for (let left = 30; left > 0; left -= 1) {
      await sleep(quietMs);
      if (what.length === seen && (await stateOf(namespace, cloudflare)).includes('"DNSRecordsApplied True"')) break;
      seen = what.length;
    }
    return stateOf(namespace, cloudflare);
  }

  async function stateOf(namespace: string, cloudflare: CloudflareApi): Promise<string> {
    const kinds =
      'deployments,configmaps,secrets,serviceaccounts,networkpolicies,gateways,httproutes,cloudflaregatewaystatuses';
    const { items } = JSON.parse(await server.kubectl(['-n', namespace, 'get', kinds, '-o', 'json'])) as {
      items: unknown[];
    };
    const held = {
      objects: items.map(withoutTimes),
      finalizers: JSON.parse(await server.kubectl(['get', 'gatewayclass', namespace, '-o', 'json'])).metadata
        .finalizers,
      tunnels: cloudflare.state.tunnels
        .filter(({ deletedAt }) => deletedAt === undefined)
        .map(({ name, config }) => ({ name, config })),
      records: cloudflare.state.records.map(({ name, type }) => `${type} ${name}`),
    };
    return JSON.stringify(held, undefined, 1)
      .replaceAll(new RegExp(`\\b${namespace}\\b`, 'g'), 'NAMESPACE')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replaceAll(/\b[0-9a-f]{32,64}\b/g, 'HASH');
  }
});

/** Lines that only one of two states has. */
function differing(one: string, other: string): string[] {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  return [
    ...lines.filter((line) => !others.includes(line)).map((line) => `+${line}`),
    ...others.filter((line) => !lines.includes(line)).map((line) => `-${line}`),
  ];
}

/** An object without what is another in each run: identities, times, the token; conditions as `Type Status`. */
function withoutTimes(object: unknown): unknown {
  const drop = [
    'uid',
    'resourceVersion',
    'creationTimestamp',
    'managedFields',
    'generation',
    'observedGeneration',
    'lastTransitionTime',
  ];
  const text = JSON.stringify(object, (key, value: unknown) => {
    if (drop.includes(key) || key === 'token' || key.endsWith('last-applied-configuration')) return undefined;
    const { type, status, reason } = (value ?? {}) as { type?: unknown; status?: unknown; reason?: unknown };
    return typeof type === 'string' && typeof status === 'string' && typeof reason === 'string'
      ? `${type} ${status}`
      : value;
  });
  return JSON.parse(text);
}
