import assert from 'node:assert/strict';
import { labels } from '../../src/api/names.ts';
import { planeLabels, planeSelector } from '../../src/derive/emit/labels.ts';
import { planeObjects } from '../../src/derive/emit/planeobjects.ts';
import { endpointsObject, tableObjects } from '../../src/derive/emit/routingtable.ts';
import { testPlane } from '../../src/derive/emit/testplane.test.ts';
import type { Plane, PlaneSettings } from '../../src/derive/plane.ts';
import { carryOut, type Carried } from '../../src/effects/kube/carryout.ts';
import { objectStepText, planHandOver, planObjects, type ObjectPlan } from '../../src/effects/kube/objectplan.ts';
import type { PlaneScope } from '../../src/effects/kube/ownership.ts';
import { applyObject, deleteObject } from '../../src/effects/kube/writes.ts';
import { isFailure } from '../../src/facts/cluster/failure.ts';
import { knownKind } from '../../src/facts/cluster/kinds.ts';
import { getObject } from '../../src/facts/cluster/reads.ts';
import type { KubeObject } from '../../src/facts/object.ts';
import type { ApiServer } from '../cluster/apiserver.ts';
import { clientOf, manifest, observedIn, sharedServer, type TestClient } from './server.ts';

const kinds = [
  'ServiceAccount',
  'ConfigMap',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Deployment',
  'VerticalPodAutoscaler',
];

/** The kind of autoscaling.k8s.io, as far as an API server has to know it. */
const autoscalers = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'verticalpodautoscalers.autoscaling.k8s.io',
    annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' },
  },
  spec: {
    group: 'autoscaling.k8s.io',
    scope: 'Namespaced',
    names: { kind: 'VerticalPodAutoscaler', plural: 'verticalpodautoscalers' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** As a user writes one: nothing but what it needs. */
const sidecar = {
  name: 'extra',
  image: 'registry.example/extra:1',
  args: [],
  ports: [{ containerPort: 9000 }],
  tty: false,
};

const variants: Readonly<Record<string, Partial<PlaneSettings>>> = {
  plain: {},
  replicas: {
    replicas: [
      { name: 'a', zone: 'one' },
      { name: 'b', nodeSelector: { disk: 'fast' } },
    ],
    minReadySeconds: 0,
    imagePullSecrets: ['registry'],
  },
  amounts: { resources: { requests: { cpu: '1000m', memory: '0.5Gi' }, limits: { cpu: 2, memory: '1e9' } } },
  autoscaled: { autoscaling: { minAllowed: { cpu: '50m' }, maxAllowed: { memory: '1Gi' } } },
  none: { replicas: [] },
  patched: {
    patches: [
      { op: 'add', path: '/spec/template/spec/priorityClassName', value: 'system-cluster-critical' },
      { op: 'add', path: '/spec/template/spec/containers/0/env', value: [{ name: 'EMPTY', value: '' }] },
      { op: 'add', path: '/spec/template/spec/containers/-', value: sidecar },
    ],
  },
};

interface Subject {
  readonly plane: Plane;
  readonly desired: readonly KubeObject[];
  readonly scope: PlaneScope;
}

function desiredOf(plane: Plane): readonly KubeObject[] {
  const { objects, problem } = planeObjects(plane);
  assert.equal(problem, undefined);
  return [...objects, ...(tableObjects(plane, '1', '{"hosts":{}}').objects ?? []), endpointsObject(plane, '{}')];
}

describe('objects of a plane, in a real API server', () => {
  let server: ApiServer;
  let client: TestClient;

  before(async function () {
    this.timeout(120_000);
    server = await sharedServer();
    client = clientOf(server);
    await server.kubectl(['create', 'namespace', 'shop']);
    await server.kubectl(['apply', '-f', '-'], autoscalers);
    await server.kubectl(['wait', '--for=condition=Established', 'crd', autoscalers.metadata.name]);
  });

  after(() => client.close());

  const observed = (): Promise<readonly KubeObject[]> => observedIn(client, 'shop', kinds);
  const plan = async ({ desired, scope }: Subject): Promise<ObjectPlan> =>
    planObjects(desired, await observed(), scope);

  async function subject(name: string, settings: Partial<PlaneSettings> = {}): Promise<Subject> {
    const spec = { gatewayClassName: 'cloudflare', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] };
    const gateway = await applyObject(client, manifest('Gateway', 'shop', name, { spec }));
    const plane = testPlane(settings, name);
    const { apiVersion, kind, metadata } = gateway;
    const owner = { apiVersion, kind, name, uid: metadata.uid ?? '' };
    return { plane, desired: desiredOf(plane), scope: { owner, labels: planeSelector(plane) } };
  }

  async function carryOutAll(steps: ObjectPlan['steps'], scope: PlaneScope): Promise<readonly Carried['outcome'][]> {
    const outcomes: Carried['outcome'][] = [];
    for (const step of steps) outcomes.push((await carryOut(client, step, scope)).outcome);
    return outcomes;
  }

  async function applied(name: string, settings: Partial<PlaneSettings> = {}): Promise<Subject> {
    const made = await subject(name, settings);
    const { steps } = await plan(made);
    await carryOutAll(steps, made.scope);
    return made;
  }

  const texts = ({ steps }: ObjectPlan): readonly string[] => steps.map(objectStepText);
  const deployment = (name: string): Promise<KubeObject> =>
    getObject(client, knownKind('Deployment'), { namespace: 'shop', name: `gateway-${name}-primary` });

  for (const [name, settings] of Object.entries(variants)) {
    it(`applied once, ${name} differs in nothing`, async () => {
      const made = await subject(name, settings);
      const first = await plan(made);
      assert.equal(first.steps.length, made.desired.length);
      assert.deepEqual(new Set(first.steps.map(({ action }) => action)), new Set(['create']));
      assert.deepEqual(new Set(await carryOutAll(first.steps, made.scope)), new Set(['written']));
      assert.deepEqual(await plan(made), { steps: [], refusals: [], awaited: [] });
    });
  }

  it('names the fields that were changed by others, and brings them back', async () => {
    const made = await applied('drift');
    const name = 'gateway-drift-primary';
    await server.kubectl(['-n', 'shop', 'scale', 'deployment', name, '--replicas=3']);
    await server.kubectl(['-n', 'shop', 'label', 'deployment', name, `${labels.component}=theirs`, '--overwrite']);
    await server.kubectl([
      '-n',
      'shop',
      'set',
      'image',
      `deployment/${name}`,
      'proxy=theirs:1',
      'cloudflared=theirs:1',
    ]);
    const drifted = await plan(made);
    assert.deepEqual(texts(drifted), [
      `update Deployment shop/${name}: metadata.labels.${labels.component}, spec.replicas, ` +
        'spec.template.spec.containers[cloudflared].image, spec.template.spec.initContainers[proxy].image',
    ]);
    await carryOutAll(drifted.steps, made.scope);
    assert.deepEqual(texts(await plan(made)), []);
    assert.equal(((await deployment('drift')).spec as { replicas: number }).replicas, 1);
  });

  it('leaves alone what others add', async () => {
    const made = await applied('added');
    const name = 'gateway-added-primary';
    await server.kubectl(['-n', 'shop', 'annotate', 'deployment', name, 'example.com/theirs=1']);
    await server.kubectl(['-n', 'shop', 'set', 'env', `deployment/${name}`, '-c', 'cloudflared', 'THEIRS=1']);
    await server.kubectl(['-n', 'shop', 'rollout', 'restart', `deployment/${name}`]);
    assert.deepEqual(texts(await plan(made)), []);
  });

  it('takes away the fields that are no longer wanted', async () => {
    const made = await subject('less');
    const extra = made.desired.map((object) => ({
      ...object,
      metadata: { ...object.metadata, annotations: { 'example.com/was': 'ours' } },
    }));
    await carryOutAll(planObjects(extra, [], made.scope).steps, made.scope);
    const less = await plan(made);
    assert.equal(less.steps.length, made.desired.length);
    assert.match(texts(less)[0] ?? '', /^update \S+ \S+: metadata\.annotations$/);
    await carryOutAll(less.steps, made.scope);
    assert.equal((await deployment('less')).metadata.annotations?.['example.com/was'], undefined);
    assert.deepEqual(texts(await plan(made)), []);
  });

  it('deletes what is no longer wanted, in the order of its use, and only what is ours', async () => {
    const made = await applied('many', { replicas: [{ name: 'a' }, { name: 'b' }] });
    const foreign = manifest('ConfigMap', 'shop', 'theirs', {});
    await applyObject(client, { ...foreign, metadata: { ...foreign.metadata, labels: planeLabels(made.plane) } });
    const none = await plan({ ...made, desired: [] });
    assert.deepEqual(
      none.steps.map(({ action, object }) => `${action} ${object.kind}`),
      [
        'delete Deployment',
        'delete Deployment',
        'delete PodDisruptionBudget',
        'delete NetworkPolicy',
        'delete ConfigMap',
        'delete ConfigMap',
        'delete ServiceAccount',
      ],
    );
    assert.deepEqual(new Set(await carryOutAll(none.steps, made.scope)), new Set(['deleted']));
    await getObject(client, knownKind('ConfigMap'), { namespace: 'shop', name: 'theirs' });
    assert.deepEqual(texts(await plan({ ...made, desired: [] })), []);
    const again = planObjects(
      [],
      none.steps.map(({ object }) => object),
      made.scope,
      { keep: () => true },
    );
    assert.deepEqual(again.steps, []);
  });

  it('never touches an object of one of its names that is not its own', async () => {
    const made = await subject('taken');
    const name = 'gateway-taken';
    await server.kubectl(['-n', 'shop', 'create', 'configmap', name, '--from-literal=theirs=1']);
    const before = await getObject(client, knownKind('ConfigMap'), { namespace: 'shop', name });
    // As a watch with our label selector shows it, and as it is.
    const blind = planObjects(made.desired, [], made.scope);
    const step = blind.steps.find(({ object }) => object.kind === 'ConfigMap' && object.metadata.name === name);
    assert.ok(step);
    const carried = await carryOut(client, step, made.scope);
    assert.equal(carried.outcome, 'refused');
    assert.match(
      carried.outcome === 'refused' ? carried.why : '',
      /ConfigMap shop\/gateway-taken exists .* left as it is/,
    );
    const seen = await plan(made);
    assert.equal(seen.refusals.length, 1);
    assert.ok(!seen.steps.some(({ object }) => object.kind === 'ConfigMap' && object.metadata.name === name));
    assert.deepEqual(await getObject(client, knownKind('ConfigMap'), { namespace: 'shop', name }), before);
  });

  it('comes to the same end from every point at which it is stopped', async () => {
    const settings: Partial<PlaneSettings> = { replicas: [{ name: 'a' }, { name: 'b' }] };
    const whole = await subject('prefix', settings);
    const { length } = (await plan(whole)).steps;
    for (let stop = 0; stop <= length; stop += 1) {
      await carryOutAll((await plan(whole)).steps.slice(0, stop), whole.scope);
      await carryOutAll((await plan(whole)).steps, whole.scope);
      assert.deepEqual(texts(await plan(whole)), [], `stopped after step ${stop}`);
      const gone = (await plan({ ...whole, desired: [] })).steps;
      await carryOutAll(gone.slice(0, stop), whole.scope);
      await carryOutAll((await plan({ ...whole, desired: [] })).steps, whole.scope);
      assert.deepEqual(texts(await plan({ ...whole, desired: [] })), [], `deletion stopped after step ${stop}`);
    }
  }).timeout(60_000);

  it('does not carry out a step that was planned for an object since replaced', async () => {
    const made = await applied('replaced');
    await server.kubectl(['-n', 'shop', 'scale', 'deployment', 'gateway-replaced-primary', '--replicas=2']);
    const { steps } = await plan(made);
    const old = await deployment('replaced');
    await deleteObject(client, old);
    assert.deepEqual(await carryOutAll(steps, made.scope), ['stale']);
    await carryOutAll((await plan(made)).steps, made.scope);
    const fresh = await deployment('replaced');
    assert.notEqual(fresh.metadata.uid, old.metadata.uid);
    assert.deepEqual(await carryOutAll(steps, made.scope), ['stale']);
    assert.deepEqual(await carryOutAll([{ action: 'delete', object: old, why: '' }], made.scope), ['stale']);
    assert.equal((await deployment('replaced')).metadata.uid, fresh.metadata.uid);
  });

  it('gives everything away and takes it back', async () => {
    const made = await applied('moved');
    const steps = planHandOver(await observed(), made.scope);
    assert.equal(steps.length, made.desired.length);
    await carryOutAll(steps, made.scope);
    assert.equal((await deployment('moved')).metadata['ownerReferences'], undefined);
    assert.deepEqual(planHandOver(await observed(), made.scope), []);
    assert.deepEqual(texts(await plan({ ...made, desired: [] })), []);
    const back = await plan(made);
    assert.match(texts(back)[0] ?? '', /metadata\.ownerReferences/);
    await carryOutAll(back.steps, made.scope);
    assert.deepEqual(texts(await plan(made)), []);
  });

  it('writes nothing where nothing differs', async () => {
    const made = await applied('quiet');
    client.writes();
    await carryOutAll((await plan(made)).steps, made.scope);
    assert.equal(client.writes(), 0);
  });

  it('says what kind is not there', async () => {
    const step = { action: 'create', object: manifest('ServiceImport', 'shop', 'none') } as const;
    const { scope } = await subject('kindless');
    await assert.rejects(carryOut(client, step, scope), (error) => isFailure(error, 'notFound'));
  });
});
