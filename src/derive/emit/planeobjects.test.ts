import assert from 'node:assert/strict';
import { ApiObject } from 'cdk8s';
import type { KubeObject } from '../../facts/object.ts';
import type { Plane } from '../plane.ts';
import { objects } from './objects.ts';
import { planeObjects } from './planeobjects.ts';
import { endpointsObject, tableObjects } from './routingtable.ts';
import { frozen, testPlane } from './testplane.test.ts';

type Labels = Record<string, string>;
interface Deployment extends KubeObject {
  readonly spec: {
    readonly selector: { readonly matchLabels: Labels };
    readonly template: {
      readonly metadata: { readonly labels: Labels; readonly annotations: Labels };
      readonly spec: Record<string, unknown>;
    };
  };
}

const named = (plane: Plane): string[] =>
  planeObjects(plane).objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
const ofKind = <T extends KubeObject>(plane: Plane, kind: string): readonly T[] =>
  planeObjects(plane).objects.filter((object) => object.kind === kind) as T[];
const deployments = (plane: Plane): readonly Deployment[] => ofKind<Deployment>(plane, 'Deployment');
const everything = (plane: Plane): readonly KubeObject[] => [
  ...planeObjects(plane).objects,
  ...(tableObjects(plane, '1.0', '{}').objects ?? []),
  endpointsObject(plane, '{}'),
];

const autoscaling = { minAllowed: { cpu: '10m' }, controlledResources: ['memory'] };
const several = testPlane({ replicas: [{ name: 'b' }, { name: 'a', zone: 'z1' }], autoscaling });
const longName = `${'a'.repeat(60)}.${'b'.repeat(192)}`;
const long: Plane = frozen({ ...several, name: longName, id: `shop/${longName}`, gateways: [`shop/${longName}`] });

describe('the objects of a data plane', () => {
  it('are those of the contract for one replica', () => {
    assert.deepEqual(named(testPlane()), [
      'Deployment gateway-web-primary',
      'NetworkPolicy gateway-web',
      'ServiceAccount gateway-web',
    ]);
  });

  it('are a Deployment and an autoscaler per replica and a budget for all pods, sorted', () => {
    assert.deepEqual(named(several), [
      'Deployment gateway-web-a',
      'Deployment gateway-web-b',
      'NetworkPolicy gateway-web',
      'PodDisruptionBudget gateway-web',
      'ServiceAccount gateway-web',
      'VerticalPodAutoscaler gateway-web-a',
      'VerticalPodAutoscaler gateway-web-b',
    ]);
  });

  it('have no Deployment for a plane that is scaled to zero', () => {
    assert.deepEqual(named(testPlane({ replicas: [], autoscaling })), [
      'NetworkPolicy gateway-web',
      'ServiceAccount gateway-web',
    ]);
  });

  it('have a budget where a patch asks for several pods', () => {
    const patches = [{ op: 'replace', path: '/spec/replicas', value: 2 }];
    assert.equal(ofKind(testPlane({ patches }), 'PodDisruptionBudget').length, 1);
  });

  it('are JSON, without an undefined or a null, and the same each time', () => {
    const all = [...everything(several), ...everything(long)];
    assert.deepEqual(JSON.parse(JSON.stringify(all)), all);
    assert.doesNotMatch(JSON.stringify(all), /:null|\bcdk8s\b/);
    assert.deepEqual([...everything(several), ...everything(long)], all);
  });

  it('are told apart by kind and name', () => {
    const props = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' } };
    assert.throws(
      () =>
        objects((scope) => {
          new ApiObject(scope, 'a', props);
          new ApiObject(scope, 'b', props);
        }),
      /ConfigMap one/,
    );
  });
});

describe('labels and selectors', () => {
  it('fit together for a Gateway name of any length', () => {
    assert.equal(longName.length, 253);
    for (const plane of [several, long]) {
      const pods = deployments(plane).map(({ spec }) => spec.template.metadata.labels);
      for (const [index, { spec }] of deployments(plane).entries()) {
        const chosen = pods.filter((labels) =>
          Object.entries(spec.selector.matchLabels).every(([key, value]) => labels[key] === value),
        );
        assert.deepEqual(chosen, [pods[index]]);
      }
      for (const value of everything(plane).flatMap(({ metadata }) => Object.values(metadata.labels ?? {}))) {
        assert.match(value, /^[a-z0-9]([-a-z0-9_.]{0,61}[a-z0-9])?$/);
      }
      for (const { metadata } of everything(plane)) assert.ok(metadata.name.length <= 253);
      for (const { metadata } of deployments(plane)) assert.ok(metadata.name.length <= 63);
    }
  });

  it('of budget, policy and spread take in all pods of the plane', () => {
    const all = JSON.stringify({ 'app.kubernetes.io/instance': 'web', 'app.kubernetes.io/name': 'cloudflare-gateway' });
    const [budget] = ofKind<KubeObject & { spec: { selector: { matchLabels: Labels } } }>(
      several,
      'PodDisruptionBudget',
    );
    const [policy] = ofKind<KubeObject & { spec: { podSelector: { matchLabels: Labels } } }>(several, 'NetworkPolicy');
    const [deployment] = deployments(several);
    const spread = deployment?.spec.template.spec.topologySpreadConstraints as {
      labelSelector: { matchLabels: Labels };
    }[];
    assert.equal(JSON.stringify(budget?.spec.selector.matchLabels), all);
    assert.equal(JSON.stringify(policy?.spec.podSelector.matchLabels), all);
    assert.deepEqual(
      spread.map(({ labelSelector }) => JSON.stringify(labelSelector.matchLabels)),
      [all, all],
    );
  });

  it('name the Gateway where the plane serves one, and none where it serves several', () => {
    const key = 'gateway.networking.k8s.io/gateway-name';
    for (const { metadata } of everything(several)) assert.equal(metadata.labels?.[key], 'web');
    const shared = frozen({ ...several, gateways: ['shop/web', 'team/api'] });
    for (const { metadata } of everything(shared)) assert.equal(metadata.labels?.[key], undefined);
  });

  it('of spec.infrastructure are on every object and pod, and replace none of ours', () => {
    const labels = {
      team: 'shop',
      constructor: 'x',
      'app.kubernetes.io/instance': 'mine',
      'app.kubernetes.io/managed-by': 'me',
    };
    const annotations = { 'example.com/owner': 'shop', 'kubectl.kubernetes.io/default-container': 'mine' };
    const plane = frozen({ ...several, labels, annotations });
    const pods = deployments(plane).map(({ spec }) => spec.template.metadata);
    for (const metadata of [...everything(plane).map((object) => object.metadata), ...pods]) {
      assert.equal(metadata.labels?.team, 'shop');
      assert.equal(Object.entries(metadata.labels).find(([name]) => name === 'constructor')?.[1], 'x');
      assert.equal(metadata.labels['app.kubernetes.io/instance'], 'web');
      assert.equal(metadata.labels['app.kubernetes.io/managed-by'], 'cloudflare-gateway-controller');
      assert.equal(metadata.annotations?.['example.com/owner'], 'shop');
    }
    for (const { annotations: ours } of pods)
      assert.equal(ours['kubectl.kubernetes.io/default-container'], 'cloudflared');
  });
});

describe('patches of a data plane', () => {
  const affinity = '/spec/template/spec/affinity';
  const pool = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } };

  it('are applied to every Deployment, after the resources and before the placement', () => {
    const plane = testPlane({
      resources: { requests: { cpu: '1' } },
      replicas: [
        { name: 'a', zone: 'z1' },
        { name: 'b', affinity: pool },
      ],
      patches: [
        { op: 'test', path: '/spec/template/spec/containers/0/resources', value: { requests: { cpu: '1' } } },
        { op: 'add', path: affinity, value: { podAffinity: {} } },
        { op: 'add', path: '/spec/template/spec/nodeSelector/topology.kubernetes.io~1zone', value: 'z9' },
      ],
    });
    assert.equal(planeObjects(plane).problem, undefined);
    const [a, b] = deployments(plane).map(({ spec }) => spec.template.spec);
    assert.deepEqual(Object.keys(a?.affinity as object), ['podAffinity', 'nodeAffinity']);
    assert.deepEqual(a?.nodeSelector, { 'kubernetes.io/os': 'linux' });
    assert.deepEqual(b?.affinity, pool);
  });

  it('that fail leave no Deployment and nothing that goes with one, and say why', () => {
    const plane = frozen({
      ...several,
      settings: { ...several.settings, patches: [{ op: 'test', path: '/spec/replicas', value: 7 }] },
    });
    assert.deepEqual(named(plane), ['NetworkPolicy gateway-web', 'ServiceAccount gateway-web']);
    assert.match(
      planeObjects(plane).problem ?? '',
      /^spec\.tunnel\.patches\[0\] \(test \/spec\/replicas\) .* 1, not 7/,
    );
  });

  for (const [path, operation] of [
    ['/metadata/name', { op: 'replace', path: '/metadata/name', value: 'mine' }],
    ['/kind', { op: 'replace', path: '/kind', value: 'DaemonSet' }],
    ['/spec/selector', { op: 'add', path: '/spec/selector/matchLabels/x', value: 'y' }],
    ['/metadata/labels/app.kubernetes.io~1', { op: 'add', path: '/metadata/labels', value: {} }],
    [
      '/spec/template/metadata/labels/app.kubernetes.io~1',
      { op: 'add', path: '/spec/template/metadata/labels', value: {} },
    ],
    ['/spec/template/metadata/labels/', { op: 'remove', path: '/spec/template' }],
    ['/spec/template/spec/containers', { op: 'remove', path: '/spec/template/spec' }],
  ] as const) {
    it(`cannot ${operation.op} ${operation.path}`, () => {
      const { problem = 'it was applied' } = planeObjects(testPlane({ patches: [operation] }));
      assert.match(problem, /it would change \//);
      assert.equal(problem.includes(`change ${path}`), true, problem);
    });
  }

  it('may add labels to the pods', () => {
    const patches = [{ op: 'add', path: '/spec/template/metadata/labels/team', value: 'shop' }];
    assert.equal(deployments(testPlane({ patches }))[0]?.spec.template.metadata.labels.team, 'shop');
  });
});

describe('the autoscaler', () => {
  it('has the bounds of the settings for both containers, of whatever name', () => {
    const bounds = { minAllowed: { cpu: '10m', constructor: 1 }, controlledValues: 'RequestsOnly' };
    const [vpa] = ofKind(testPlane({ autoscaling: bounds }), 'VerticalPodAutoscaler');
    const common = { mode: 'Auto', controlledResources: ['cpu', 'memory'], ...bounds };
    assert.deepEqual(vpa?.spec, {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'gateway-web-primary' },
      updatePolicy: { updateMode: 'InPlaceOrRecreate', minReplicas: 1 },
      resourcePolicy: {
        containerPolicies: [
          { containerName: 'cloudflared', ...common },
          { containerName: 'proxy', ...common },
        ],
      },
    });
  });
});

describe('the network policy', () => {
  it('admits the operator to the admin port, and scrapers to both', () => {
    const [policy] = ofKind(testPlane(), 'NetworkPolicy');
    const port = (number: number): object => ({ port: number, protocol: 'TCP' });
    const spec = policy?.spec as { policyTypes: string[]; ingress: object } | undefined;
    assert.deepEqual(spec?.policyTypes, ['Ingress']);
    assert.deepEqual(spec?.ingress, [
      {
        from: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'gateway-system' } },
            podSelector: { matchLabels: { 'app.kubernetes.io/name': 'cloudflare-gateway-controller' } },
          },
        ],
        ports: [port(8081)],
      },
      {
        from: [{ namespaceSelector: { matchLabels: { 'cloudflare-gateway-controller.io/scraper': 'true' } } }],
        ports: [port(8081), port(2000)],
      },
    ]);
  });
});
