import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { planeSelector } from '../../src/derive/emit/labels.ts';
import { planeObjects } from '../../src/derive/emit/planeobjects.ts';
import { testPlane } from '../../src/derive/emit/testplane.test.ts';
import { carryOut } from '../../src/effects/kube/carryout.ts';
import { planObjects } from '../../src/effects/kube/objectplan.ts';
import { writeStatus } from '../../src/effects/kube/status.ts';
import { applyObject, deleteObject } from '../../src/effects/kube/writes.ts';
import { controllerName } from '../../src/api/names.ts';
import { reflectCluster } from '../../src/facts/cluster/cluster.ts';
import { createKubeClient, type KubeClient } from '../../src/facts/cluster/client.ts';
import { loadConfig } from '../../src/facts/cluster/credentials.ts';
import { knownKind } from '../../src/facts/cluster/kinds.ts';
import { getObject, listObjects } from '../../src/facts/cluster/reads.ts';
import { watched } from '../../src/facts/cluster/watchedkind.ts';
import { createFactStore } from '../../src/facts/store.ts';
import type { ApiServer } from '../cluster/apiserver.ts';
import { byChance, startFaultProxy, type FaultProxy } from './faultproxy.ts';
import { clientOf, manifest, newNamespace, observedIn, sharedServer, until, type TestClient } from './server.ts';

describe('a real API server behind a network with faults', () => {
  let server: ApiServer;
  let direct: TestClient;
  let proxy: FaultProxy;
  let faulty: KubeClient;
  let namespace: string;

  before(async function () {
    this.timeout(120_000);
    server = await sharedServer();
    direct = clientOf(server);
    namespace = await newNamespace(server);
  });

  beforeEach(async () => {
    proxy = await startFaultProxy(server);
    faulty = createKubeClient({ load: () => loadConfig({ kubeconfig: proxy.kubeconfig }) });
  });

  afterEach(async () => {
    await faulty.close();
    await proxy.close();
  });

  after(() => direct.close());

  it('is reflected exactly, whatever happened to the watches meanwhile', async () => {
    const store = createFactStore();
    const times = { pauses: { first: 20, most: 200 } };
    const facts = reflectCluster({ client: faulty, store, kinds: [watched('ConfigMap', { namespace })], times });
    await facts.settled;
    proxy.choose = byChance(0.3, ['429', '500', '503', 'lost', 'reset', '410', 'torn']);
    for (let round = 0; round < 300; round += 1) {
      const object = manifest('ConfigMap', namespace, `map-${randomInt(30)}`, { data: { round: String(round) } });
      if (randomInt(3) > 0) await applyObject(direct, object);
      else await deleteObject(direct, object).catch(() => {});
      if (round % 10 === 0) proxy.harmWatches((['410', 'torn', 'reset'] as const)[randomInt(3)] ?? 'reset');
    }
    proxy.choose = () => undefined;
    const { objects } = await listObjects(direct, knownKind('ConfigMap'), { namespace });
    const expected = objects.map(({ metadata }) => `${namespace}/${metadata.name} ${metadata.resourceVersion}`);
    const held = (): readonly string[] =>
      [...store.keys('ConfigMap')].map((key) => `${key} ${store.get('ConfigMap', key)?.metadata.resourceVersion}`);
    await until(() => held().toSorted().join() === expected.toSorted().join());
    assert.ok(proxy.befallen.size >= 3, [...proxy.befallen].join(' '));
    assert.deepEqual(store.knowledge('ConfigMap'), { complete: true });
    await facts.stop();
  }).timeout(60_000);

  it('comes to hold what it should, however often writes and their answers are lost', async () => {
    const spec = { gatewayClassName: 'cloudflare', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] };
    const { apiVersion, kind, metadata } = await applyObject(direct, manifest('Gateway', namespace, 'chaos', { spec }));
    const plane = { ...testPlane({ replicas: [{ name: 'a' }, { name: 'b' }] }, 'chaos'), namespace };
    const scope = {
      owner: { apiVersion, kind, name: 'chaos', uid: metadata.uid ?? '' },
      labels: planeSelector(plane),
    };
    const kinds = ['ServiceAccount', 'NetworkPolicy', 'PodDisruptionBudget', 'Deployment'];
    proxy.choose = byChance(0.4, ['500', '503', 'lost', 'reset']);
    for (const desired of [planeObjects(plane).objects, []]) {
      let left = Number.POSITIVE_INFINITY;
      while (left > 0) {
        const { steps } = planObjects(desired, await observedIn(direct, namespace, kinds), scope);
        left = steps.length;
        for (const step of steps) await carryOut(faulty, step, scope).catch(() => {});
      }
      assert.equal((await observedIn(direct, namespace, ['Deployment'])).length, desired.length === 0 ? 0 : 2);
    }
  }).timeout(60_000);

  it('gets the status that is claimed, however often writes and their answers are lost', async () => {
    const route = manifest('HTTPRoute', namespace, 'chaos', { spec: { parentRefs: [{ name: 'web' }] } });
    const object = await applyObject(direct, route);
    const claim = (round: number): Parameters<typeof writeStatus>[1] => {
      const condition = { type: 'Accepted', status: 'True', reason: 'R', message: String(round) } as const;
      const parents = [{ controllerName, parentRef: { name: 'web' }, conditions: [condition] }];
      return { apiVersion: object.apiVersion, kind: 'HTTPRoute', namespace, name: 'chaos', status: { parents } };
    };
    proxy.choose = byChance(0.4, ['500', '503', 'lost', 'reset']);
    const read = (): ReturnType<typeof getObject> =>
      getObject(direct, knownKind('HTTPRoute'), { namespace, name: 'chaos' });
    for (let round = 0; round < 20; round += 1) {
      for (let isDone = false; !isDone; await sleep(1)) {
        const outcome = await writeStatus(faulty, claim(round), await read()).catch(() => undefined);
        isDone = outcome?.outcome === 'written' || outcome?.outcome === 'same';
      }
      const stored = (await read())['status'] as { parents: readonly { conditions: readonly { message: string }[] }[] };
      assert.deepEqual(
        stored.parents.map(({ conditions }) => conditions[0]?.message),
        [String(round)],
      );
    }
  }).timeout(60_000);
});
