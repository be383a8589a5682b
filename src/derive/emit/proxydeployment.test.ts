import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parseProxyArguments } from '../../proxy/run.ts';
import type { Plane, PlaneSettings } from '../plane.ts';
import { objects } from './objects.ts';
import { planeObjects } from './planeobjects.ts';
import { ProxyDeployment } from './proxydeployment.ts';
import { testPlane } from './testplane.test.ts';

type Json = Record<string, unknown>;

const deploymentOf = (settings: Partial<PlaneSettings> = {}): Json => emitted(testPlane(settings));
const emitted = (plane: Plane): Json => planeObjects(plane).objects.find(({ kind }) => kind === 'Deployment') as Json;
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, key) => (found as Json | undefined)?.[key], value);
const deployment = deploymentOf();
const pod = at(deployment, 'spec.template.spec') as Json;
const proxy = at(pod, 'initContainers.0') as Json;
const connector = at(pod, 'containers.0') as Json;

/** What the API server (apps/v1 and core/v1, Kubernetes 1.36) or cdk8s-plus fills in where it is left out. */
const defaulted = {
  deployment: [
    'spec.replicas',
    'spec.revisionHistoryLimit',
    'spec.progressDeadlineSeconds',
    'spec.minReadySeconds',
    'spec.strategy.type',
    'spec.strategy.rollingUpdate.maxSurge',
    'spec.strategy.rollingUpdate.maxUnavailable',
    'spec.selector.matchLabels',
    'metadata.name',
    'metadata.namespace',
  ],
  pod: [
    'restartPolicy',
    'terminationGracePeriodSeconds',
    'dnsPolicy',
    'schedulerName',
    'serviceAccountName',
    'automountServiceAccountToken',
    'enableServiceLinks',
    'securityContext.runAsNonRoot',
    'securityContext.runAsUser',
    'securityContext.runAsGroup',
    'securityContext.fsGroup',
    'securityContext.seccompProfile.type',
    'volumes.0.projected.defaultMode',
    'volumes.1.secret.defaultMode',
    'volumes.1.secret.optional',
  ],
  container: [
    'imagePullPolicy',
    'terminationMessagePath',
    'terminationMessagePolicy',
    'ports.0.protocol',
    'resources.requests.cpu',
    'resources.requests.memory',
    'resources.limits.memory',
    'securityContext.allowPrivilegeEscalation',
    'securityContext.capabilities.drop',
    'securityContext.privileged',
    'securityContext.readOnlyRootFilesystem',
    'securityContext.runAsNonRoot',
    'securityContext.runAsUser',
    'securityContext.runAsGroup',
    'securityContext.seccompProfile.type',
    'volumeMounts.0.readOnly',
  ],
  probe: ['timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold', 'httpGet.path', 'httpGet.scheme'],
  spread: ['maxSkew', 'whenUnsatisfiable', 'nodeAffinityPolicy', 'nodeTaintsPolicy', 'labelSelector.matchLabels'],
};

/** Fields that the API server does not store when they are zero or false: written out they would seem to differ for ever. */
const notStoredAsZero = [
  'minReadySeconds',
  'initialDelaySeconds',
  'hostNetwork',
  'hostPID',
  'hostIPC',
  'stdin',
  'tty',
  'paused',
];

const missing = (value: unknown, paths: readonly string[]): string[] =>
  paths.filter((path) => at(value, path) === undefined);

function fieldsOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]): [string, unknown][] => [[key, field], ...fieldsOf(field)]);
}

describe('the Deployment', () => {
  it('names every field that would be filled in', () => {
    assert.deepEqual(missing(deployment, defaulted.deployment), []);
    assert.deepEqual(missing(pod, defaulted.pod), []);
    for (const container of [proxy, connector]) assert.deepEqual(missing(container, defaulted.container), []);
    for (const probe of [proxy.startupProbe, proxy.readinessProbe, proxy.livenessProbe, connector.readinessProbe]) {
      assert.deepEqual(missing(probe, defaulted.probe), []);
    }
    for (const spread of pod.topologySpreadConstraints as Json[])
      assert.deepEqual(missing(spread, defaulted.spread), []);
    assert.equal(at(connector, 'lifecycle.preStop.httpGet.scheme'), 'HTTP');
  });

  it('has no zero, empty map or empty list that the API server drops', () => {
    for (const [key, field] of fieldsOf(deploymentOf({ minReadySeconds: 0, imagePullSecrets: [] }))) {
      if (field === 0 || field === false) assert.ok(!notStoredAsZero.includes(key), key);
      if (typeof field === 'object' && field !== null) assert.notEqual(Object.keys(field).length, 0, key);
    }
  });

  it('replaces its pod by one that was ready long enough', () => {
    assert.deepEqual(at(deployment, 'spec.strategy.rollingUpdate'), { maxSurge: 1, maxUnavailable: 0 });
    assert.equal(at(deployment, 'spec.minReadySeconds'), 600);
    assert.equal(at(deployment, 'spec.progressDeadlineSeconds'), 660);
    assert.equal(at(deploymentOf({ minReadySeconds: 0 }), 'spec.progressDeadlineSeconds'), 60);
  });

  it('is the construct itself without patches, resources and placement', () => {
    const plane = testPlane();
    const [built] = objects((scope) => new ProxyDeployment(scope, plane, 'primary'));
    assert.deepEqual(built, deployment);
  });

  it('has pull secrets and resources as they are set', () => {
    const resources = { requests: { cpu: '1', constructor: '2' }, claims: [{ name: 'gpu', request: 'one' }] };
    const given = deploymentOf({ imagePullSecrets: ['registry'], resources });
    assert.deepEqual(at(given, 'spec.template.spec.imagePullSecrets'), [{ name: 'registry' }]);
    assert.deepEqual(at(given, 'spec.template.spec.initContainers.0.resources'), resources);
    assert.deepEqual(at(given, 'spec.template.spec.containers.0.resources'), resources);
  });
});

describe('the proxy container', () => {
  it('is a native sidecar that the image can start', () => {
    assert.equal(proxy.restartPolicy, 'Always');
    const dockerfile = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8');
    const [node, , program] = proxy.command as string[];
    assert.ok(dockerfile.includes(` ${node}\n`), 'Dockerfile puts node elsewhere');
    assert.ok(
      dockerfile.includes('dist/proxy.mjs /app/\n') && program === '/app/proxy.mjs',
      'Dockerfile puts the program elsewhere',
    );
  });

  it('has arguments that the proxy understands', () => {
    const command = parseProxyArguments(proxy.args as string[]);
    assert.ok(command !== 'help');
    const { listen, admin, table, graceMs, firstTableMs, drainPart } = command;
    assert.deepEqual(
      { listen, admin, table, graceMs, firstTableMs, drainPart },
      {
        listen: { host: '127.0.0.1', port: 8080 },
        admin: { host: '0.0.0.0', port: 8081 },
        table: at(proxy, 'volumeMounts.0.mountPath'),
        graceMs: 30_000,
        firstTableMs: 120_000,
        drainPart: 'secret-part',
      },
    );
    const patience =
      Number(at(proxy, 'startupProbe.periodSeconds')) * Number(at(proxy, 'startupProbe.failureThreshold'));
    assert.ok(patience * 1000 > firstTableMs, 'kubelet must not give up before the proxy does');
  });
});

describe('the cloudflared container', () => {
  it('has the arguments that were measured', () => {
    assert.equal(
      (connector.args as string[]).join(' '),
      'tunnel --no-autoupdate --no-prechecks --protocol http2 --metrics 0.0.0.0:2000 --grace-period 30s --management-diagnostics=false run --token-file /etc/cloudflare-gateway/token/token',
    );
    const quic = at(deploymentOf({ protocol: 'quic' }), 'spec.template.spec.containers.0.args') as string[];
    assert.equal(quic[quic.indexOf('--protocol') + 1], 'quic');
  });

  it('has the token as a file and nowhere else', () => {
    assert.equal(connector.env, undefined);
    assert.deepEqual(at(pod, 'volumes.1'), {
      name: 'token',
      secret: {
        secretName: 'gateway-web',
        items: [{ key: 'token', path: 'token' }],
        optional: false,
        defaultMode: 0o440,
      },
    });
  });

  it('tells the proxy to drain before it stops, with time enough for all', () => {
    assert.deepEqual(at(connector, 'lifecycle.preStop.httpGet'), {
      path: '/drain/secret-part',
      port: 8081,
      scheme: 'HTTP',
    });
    assert.ok(Number(pod.terminationGracePeriodSeconds) >= 30 + 5 + 5);
  });
});

describe('the volume of the proxy', () => {
  it('has all sources optional, and no file is mounted by subPath', () => {
    const sources = at(pod, 'volumes.0.projected.sources') as { configMap?: Json; secret?: Json }[];
    const named = sources.map(({ configMap, secret }) => (configMap ?? secret ?? {}).name);
    const shards = Array.from({ length: 7 }, (_, index) => `gateway-web-table-${index + 1}`);
    assert.deepEqual(named, ['gateway-web', ...shards, 'gateway-web-endpoints', 'gateway-web-certificates']);
    for (const { configMap, secret } of sources) assert.equal((configMap ?? secret ?? {}).optional, true);
    assert.ok(!fieldsOf(deployment).some(([key]) => key.startsWith('subPath')));
  });
});
