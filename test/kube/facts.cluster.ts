import assert from 'node:assert/strict';
import { reflectCluster, type ClusterFacts } from '../../src/facts/cluster/cluster.ts';
import { secretTypesRead, watched, type WatchedKind } from '../../src/facts/cluster/watchedkind.ts';
import type { ReflectorTimes } from '../../src/facts/cluster/reflector.ts';
import { createFactStore, type FactStore } from '../../src/facts/store.ts';
import { createObject, patchObject } from '../../src/effects/kube/writes.ts';
import { startApiServer, type ApiServer } from '../cluster/apiserver.ts';
import { clientOf, manifest, newNamespace, until, type TestClient } from './server.ts';

const imports = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'serviceimports.multicluster.x-k8s.io' },
  spec: {
    group: 'multicluster.x-k8s.io',
    scope: 'Namespaced',
    names: { kind: 'ServiceImport', plural: 'serviceimports' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('the cluster as facts, with a real API server', () => {
  let server: ApiServer;
  let client: TestClient;
  let namespace: string;
  const running: ClusterFacts[] = [];

  before(async function () {
    this.timeout(120_000);
    server = await startApiServer({ controllers: ['namespace-controller'] });
    client = clientOf(server);
    namespace = await newNamespace(server);
  });

  afterEach(() => Promise.all(running.splice(0).map((facts) => facts.stop())));

  after(async () => {
    await client.close();
    await server.stop();
  });

  function reflected(
    kinds: readonly WatchedKind[],
    times: Partial<ReflectorTimes> = {},
    using: TestClient = client,
  ): { readonly store: FactStore; readonly facts: ClusterFacts } {
    const store = createFactStore();
    const facts = reflectCluster({ client: using, store, kinds, times });
    running.push(facts);
    return { store, facts };
  }

  const map = (name: string, data: Record<string, string> = {}): ReturnType<typeof manifest> =>
    manifest('ConfigMap', namespace, name, { data });

  it('reads what is there, and hears what happens', async () => {
    await createObject(client, map('first', { a: '1' }));
    const { store, facts } = reflected([watched('ConfigMap')]);
    const knowledge = store.knowledge('ConfigMap');
    assert.match(knowledge.complete ? '' : knowledge.why, /not read yet/);
    await facts.settled;
    assert.deepEqual(store.knowledge('ConfigMap'), { complete: true });
    const first = store.get('ConfigMap', `${namespace}/first`);
    assert.deepEqual([first?.apiVersion, first?.kind, first?.['data']], ['v1', 'ConfigMap', { a: '1' }]);
    assert.ok(Object.isFrozen(first?.['data']));
    assert.equal(first?.metadata['managedFields'], undefined);
    const second = await createObject(client, map('second'));
    await until(() => store.get('ConfigMap', `${namespace}/second`) !== undefined);
    await patchObject(client, second, { data: { b: '2' } });
    await until(() => (store.get('ConfigMap', `${namespace}/second`)?.['data'] as { b?: string })?.b === '2');
    await server.kubectl(['-n', namespace, 'delete', 'configmap', 'first', 'second']);
    await until(() => [...store.keys('ConfigMap')].every((key) => !key.startsWith(`${namespace}/`)));
  });

  it('reads page by page all there is', async () => {
    const names = Array.from({ length: 1100 }, (_, index) => `page-${index}`);
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => createObject(client, map(name))));
    const sent = clientOf(server);
    const { store, facts } = reflected([watched('ConfigMap', { namespace })], {}, sent);
    await facts.settled;
    assert.equal(names.filter((name) => store.get('ConfigMap', `${namespace}/${name}`) === undefined).length, 0);
    assert.equal(sent.sent.length, 3);
    await facts.stop();
    await sent.close();
    await server.kubectl(['-n', namespace, 'delete', 'configmap', '--all', '--wait=false']);
  }).timeout(60_000);

  it('keeps only what is selected, of fields too', async () => {
    await createObject(client, {
      ...map('labelled'),
      metadata: { namespace, name: 'labelled', labels: { mine: 'yes' } },
    });
    await createObject(client, map('other', { large: 'x' }));
    const secret = (name: string, type: string): ReturnType<typeof manifest> =>
      manifest('Secret', namespace, name, { type, data: {} });
    await createObject(client, secret('kept', 'Opaque'));
    await createObject(client, secret('release', 'helm.sh/release.v1'));
    const { store, facts } = reflected([
      watched('ConfigMap', { labelSelector: 'mine=yes', written: true }),
      watched('Secret', { fieldSelector: secretTypesRead }),
      watched('CustomResourceDefinition', { metadataOnly: true }),
    ]);
    await facts.settled;
    assert.deepEqual([...store.keys('ConfigMap')], [`${namespace}/labelled`]);
    const labelled = store.get('ConfigMap', `${namespace}/labelled`);
    assert.ok(labelled);
    assert.equal((labelled.metadata['managedFields'] as unknown[]).length, 1);
    assert.deepEqual([...store.keys('Secret')], [`${namespace}/kept`]);
    const definition = store.get('CustomResourceDefinition', 'gateways.gateway.networking.k8s.io');
    assert.deepEqual([definition?.kind, definition?.['spec']], ['CustomResourceDefinition', undefined]);
    assert.ok(definition?.metadata.annotations?.['gateway.networking.k8s.io/bundle-version']);
  });

  it('takes an answer to a write of its own, and nothing older after it', async () => {
    const { store, facts } = reflected([watched('ConfigMap', { namespace })]);
    await facts.settled;
    const old = await createObject(client, map('mine', { version: '1' }));
    const now = await patchObject(client, old, { data: { version: '2' } });
    facts.observe(now);
    facts.observe(old);
    assert.deepEqual(store.get('ConfigMap', `${namespace}/mine`)?.['data'], { version: '2' });
    const changes: string[] = [];
    store.subscribe(({ key }) => changes.push(key ?? ''));
    await createObject(client, map('after'));
    await until(() => store.get('ConfigMap', `${namespace}/after`) !== undefined);
    assert.deepEqual(changes, [`${namespace}/after`]);
  });

  it('has no objects of a kind that is not served, and takes it up when it comes and goes', async () => {
    const { store, facts } = reflected([
      watched('ServiceImport'),
      watched('CustomResourceDefinition', { metadataOnly: true }),
    ]);
    await facts.settled;
    assert.deepEqual(facts.states().get('ServiceImport'), { is: 'absent' });
    assert.deepEqual(store.knowledge('ServiceImport'), { complete: true });
    await server.kubectl(['apply', '-f', '-'], imports);
    await until(() => facts.states().get('ServiceImport')?.is === 'live');
    const older = { ...manifest('ServiceImport', namespace, 'one'), apiVersion: 'multicluster.x-k8s.io/v1alpha1' };
    await createObject(client, older);
    await until(() => store.get('ServiceImport', `${namespace}/one`) !== undefined);
    assert.equal(store.get('ServiceImport', `${namespace}/one`)?.apiVersion, 'multicluster.x-k8s.io/v1alpha1');
    await server.kubectl(['delete', 'crd', imports.metadata.name]);
    await until(() => facts.states().get('ServiceImport')?.is === 'absent');
    assert.deepEqual([...store.keys('ServiceImport')], []);
    await server.kubectl(['apply', '-f', '-'], imports);
    await until(() => facts.states().get('ServiceImport')?.is === 'live');
  }).timeout(60_000);

  it('says what is refused, keeps the rest, and recovers', async () => {
    const limited = clientOf(server, (config) => {
      const [user] = config.users;
      assert.ok(user);
      config.users = [{ ...user, impersonateUser: 'limited' }];
    });
    const grant = (resources: string): Promise<string> =>
      server.kubectl(['create', 'clusterrole', `read-${resources}`, '--verb=list,watch', `--resource=${resources}`]);
    await grant('namespaces');
    await grant('configmaps');
    const bind = (resources: string): Promise<string> =>
      server.kubectl(['create', 'clusterrolebinding', resources, `--clusterrole=read-${resources}`, '--user=limited']);
    await bind('namespaces');
    const { store, facts } = reflected([watched('ConfigMap'), watched('Namespace')], { refused: 500 }, limited);
    await facts.settled;
    assert.deepEqual(store.knowledge('Namespace'), { complete: true });
    const refused = store.knowledge('ConfigMap');
    assert.match(
      refused.complete ? '' : refused.why,
      /list ConfigMap objects: configmaps is forbidden: User "limited"/,
    );
    await bind('configmaps');
    await until(() => store.knowledge('ConfigMap').complete);
    const known = [...store.keys('ConfigMap')];
    await server.kubectl(['delete', 'clusterrolebinding', 'configmaps']);
    await facts.stop();
    assert.deepEqual([...store.keys('ConfigMap')], known);
    await limited.close();
  }).timeout(60_000);

  it('misses nothing while the API server is restarted', async () => {
    await createObject(client, map('goes'));
    const { store, facts } = reflected([watched('ConfigMap', { namespace }), watched('Gateway')]);
    await facts.settled;
    await server.restart();
    await until(async () => createObject(client, map('comes')).then(Boolean, () => false));
    await server.kubectl(['-n', namespace, 'delete', 'configmap', 'goes']);
    await until(() => store.get('ConfigMap', `${namespace}/comes`) !== undefined);
    await until(() => store.get('ConfigMap', `${namespace}/goes`) === undefined);
    await until(() => [...facts.states().values()].every(({ is }) => is === 'live'));
    assert.deepEqual(store.knowledge('Gateway'), { complete: true });
  }).timeout(60_000);

  it('notices that the API server is frozen, and recovers', async () => {
    const own = clientOf(server);
    const { store, facts } = reflected([watched('ConfigMap', { namespace })], { idle: 2000 }, own);
    await facts.settled;
    server.pause();
    await until(() => facts.states().get('ConfigMap')?.is === 'failing');
    server.resume();
    await createObject(client, map('thawed'));
    await until(() => store.get('ConfigMap', `${namespace}/thawed`) !== undefined);
    await until(() => facts.states().get('ConfigMap')?.is === 'live');
    await facts.stop();
    await own.close();
  }).timeout(60_000);

  it('starts while there is no API server, with few attempts', async () => {
    const nobody = clientOf(server, (config) => {
      const [cluster] = config.clusters;
      assert.ok(cluster);
      config.clusters = [{ ...cluster, server: 'https://127.0.0.1:9' }];
    });
    const { store, facts } = reflected([watched('Gateway')], { stale: 3000 }, nobody);
    await facts.settled;
    const knowledge = store.knowledge('Gateway');
    assert.match(
      knowledge.complete ? '' : knowledge.why,
      /list Gateway objects: no answer from the API server: .*ECONNREFUSED/,
    );
    assert.ok(nobody.sent.length <= 6, `${nobody.sent.length} attempts in three seconds`);
    await facts.stop();
    await nobody.close();
  }).timeout(20_000);
});
