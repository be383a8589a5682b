import assert from 'node:assert/strict';
import { controllerName } from '../../src/api/names.ts';
import type { Condition } from '../../src/api/conditions.ts';
import type { StatusClaim } from '../../src/derive/results.ts';
import { addFinalizer, removeFinalizer } from '../../src/effects/kube/finalizers.ts';
import { createEventWriter } from '../../src/effects/kube/events.ts';
import { statusDiffers, withdrawal, writeStatus } from '../../src/effects/kube/status.ts';
import type { StoredCondition } from '../../src/effects/kube/conditionmerge.ts';
import { applyObject, patchObject } from '../../src/effects/kube/writes.ts';
import { knownKind } from '../../src/facts/cluster/kinds.ts';
import { getObject, listObjects } from '../../src/facts/cluster/reads.ts';
import type { KubeObject } from '../../src/facts/object.ts';
import type { ApiServer } from '../cluster/apiserver.ts';
import { clientOf, manifest, newNamespace, sharedServer, type TestClient } from './server.ts';

interface Entry {
  readonly controllerName: string;
  readonly parentRef: { readonly name: string };
  readonly conditions: readonly StoredCondition[];
}

function condition(type: string, status: Condition['status'] = 'True', generation = 1): Condition {
  return { type, status, reason: 'Because', message: `${type} is ${status}`, observedGeneration: generation };
}

function claimFor({ apiVersion, kind, metadata }: KubeObject, status: StatusClaim['status']): StatusClaim {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name, status };
}

function ours(name: string, ...conditions: readonly Condition[]): Record<string, unknown> {
  return { controllerName, parentRef: { name }, conditions };
}

const theirs: Entry = {
  controllerName: 'example.com/other',
  parentRef: { name: 'other' },
  conditions: [
    {
      type: 'Accepted',
      status: 'False',
      reason: 'Theirs',
      message: 'theirs',
      lastTransitionTime: '2020-01-01T00:00:00Z',
    },
  ],
};

describe('status, finalizers and events, in a real API server', () => {
  let server: ApiServer;
  let client: TestClient;
  let namespace: string;

  before(async function () {
    this.timeout(120_000);
    server = await sharedServer();
    client = clientOf(server);
    namespace = await newNamespace(server);
  });

  after(() => client.close());

  const read = ({ kind, metadata }: KubeObject): Promise<KubeObject> => getObject(client, knownKind(kind), metadata);
  const route = (name: string): Promise<KubeObject> =>
    applyObject(client, manifest('HTTPRoute', namespace, name, { spec: { parentRefs: [{ name: 'web' }] } }));
  const gateway = (name: string): Promise<KubeObject> => {
    const spec = { gatewayClassName: 'cloudflare', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] };
    return applyObject(client, manifest('Gateway', namespace, name, { spec }));
  };
  const parentsOf = (object: KubeObject): readonly Entry[] =>
    (object['status'] as { parents?: readonly Entry[] } | undefined)?.parents ?? [];
  const conditionsOf = (object: KubeObject): readonly StoredCondition[] =>
    (object['status'] as { conditions?: readonly StoredCondition[] } | undefined)?.conditions ?? [];
  const writeTheirs = async (object: KubeObject): Promise<KubeObject> =>
    patchObject(
      client,
      await read(object),
      { status: { parents: [...parentsOf(await read(object)), theirs] } },
      'status',
    );

  it('is written once, and not again', async () => {
    const object = await route('once');
    const claim = claimFor(object, { parents: [ours('web', condition('Accepted'), condition('ResolvedRefs'))] });
    assert.ok(statusDiffers(claim, object));
    const first = await writeStatus(client, claim, object);
    assert.equal(first.outcome, 'written');
    client.writes();
    const stored = await read(object);
    assert.equal((await writeStatus(client, claim, stored)).outcome, 'same');
    assert.ok(!statusDiffers(claim, stored));
    assert.equal(client.writes(), 0);
    assert.deepEqual(
      parentsOf(stored).map(({ conditions }) => conditions.map(({ type }) => type)),
      [['Accepted', 'ResolvedRefs']],
    );
  });

  it('leaves the entries of other controllers as they are, and takes away its own that are stale', async () => {
    const object = await route('foreign');
    await writeStatus(client, claimFor(object, { parents: [ours('web', condition('Accepted'))] }), object);
    await writeTheirs(object);
    const next = claimFor(object, { parents: [ours('next', condition('Accepted', 'False'))] });
    await writeStatus(client, next, await read(object));
    const parents = parentsOf(await read(object));
    assert.deepEqual(
      parents.map(({ parentRef }) => parentRef.name),
      ['other', 'next'],
    );
    assert.deepEqual(parents[0]?.conditions, theirs.conditions);
    const back = withdrawal(await read(object));
    assert.ok(back);
    await writeStatus(client, back, await read(object));
    assert.deepEqual(
      parentsOf(await read(object)).map(({ parentRef }) => parentRef.name),
      ['other'],
    );
    assert.equal(withdrawal(await read(object)), undefined);
  });

  it('reads again where somebody wrote meanwhile, and loses nothing of theirs', async () => {
    const object = await route('conflict');
    await writeTheirs(object);
    const outcome = await writeStatus(
      client,
      claimFor(object, { parents: [ours('web', condition('Accepted'))] }),
      object,
    );
    assert.equal(outcome.outcome, 'written');
    assert.deepEqual(
      parentsOf(await read(object)).map(({ parentRef }) => parentRef.name),
      ['other', 'web'],
    );
  });

  it('holds its own beside ten writers at once', async () => {
    const object = await route('crowd');
    const others = Array.from({ length: 10 }, async (_, index) => {
      for (;;) {
        const now = await read(object);
        const entry = { ...theirs, parentRef: { name: `other-${index}` } };
        try {
          await patchObject(client, now, { status: { parents: [...parentsOf(now), entry] } }, 'status');
          return;
        } catch {
          // Somebody else was faster.
        }
      }
    });
    const mine = (async () => {
      for (let round = 0; round < 20; round += 1) {
        const status = round % 2 === 0 ? 'True' : 'False';
        const claim = claimFor(object, { parents: [ours('web', condition('Accepted', status))] });
        // Five conflicts in a row are an answer too; the next round writes anew.
        await writeStatus(client, claim, object).catch(() => {});
      }
    })();
    await Promise.all([...others, mine]);
    await writeStatus(client, claimFor(object, { parents: [ours('web', condition('Accepted'))] }), await read(object));
    assert.equal(parentsOf(await read(object)).length, 11);
  });

  it('keeps the time of a condition whose status is as before', async () => {
    const object = await route('time');
    const write = async (status: Condition['status'], message: string, now: string): Promise<StoredCondition> => {
      const accepted = { ...condition('Accepted', status), message };
      const claim = claimFor(object, { parents: [ours('web', accepted)] });
      await writeStatus(client, claim, await read(object), { now: () => new Date(now) });
      const [entry] = parentsOf(await read(object));
      assert.ok(entry?.conditions[0]);
      return entry.conditions[0];
    };
    assert.equal((await write('True', 'one', '2026-01-01T00:00:00Z')).lastTransitionTime, '2026-01-01T00:00:00Z');
    const same = await write('True', 'two', '2026-01-02T00:00:00Z');
    assert.deepEqual([same.message, same.lastTransitionTime], ['two', '2026-01-01T00:00:00Z']);
    assert.equal((await write('False', 'two', '2026-01-03T00:00:00Z')).lastTransitionTime, '2026-01-03T00:00:00Z');
  });

  it('fills at most the room there is beside the entries of others', async () => {
    const object = await route('full');
    const full = Array.from({ length: 30 }, (_, index) => ({ ...theirs, parentRef: { name: `other-${index}` } }));
    await patchObject(client, object, { status: { parents: full } }, 'status');
    const claim = claimFor(object, { parents: ['a', 'b', 'c'].map((name) => ours(name, condition('Accepted'))) });
    const outcome = await writeStatus(client, claim, await read(object));
    assert.equal(outcome.outcome === 'written' && outcome.dropped, 1);
    const names = parentsOf(await read(object)).map(({ parentRef }) => parentRef.name);
    assert.deepEqual(names.slice(-3), ['other-29', 'a', 'b']);
    assert.equal((await writeStatus(client, claim, await read(object))).outcome, 'same');
  });

  it('writes a message that is too long as far as it goes', async () => {
    const object = await route('long');
    const long = { ...condition('Accepted'), message: 'ö'.repeat(40_000) };
    await writeStatus(client, claimFor(object, { parents: [ours('web', long)] }), object);
    const message = parentsOf(await read(object))[0]?.conditions[0]?.message ?? '';
    assert.ok(Buffer.byteLength(message) <= 32_768 && message.endsWith('ö… (shortened)'));
  });

  it('does not undo what was concluded from a later generation', async () => {
    const object = await gateway('late');
    const claimed = (generation: number): StatusClaim =>
      claimFor(object, { conditions: [condition('Accepted', 'True', generation)] });
    await server.kubectl(['-n', namespace, 'annotate', 'gateway', 'late', 'a=b']);
    const spec = { listeners: [{ name: 'other', port: 81, protocol: 'HTTP' }] };
    await patchObject(client, await read(object), { spec });
    await writeStatus(client, claimed(2), await read(object));
    assert.equal((await writeStatus(client, claimed(1), object)).outcome, 'stale');
    assert.equal(conditionsOf(await read(object)).find(({ type }) => type === 'Accepted')?.observedGeneration, 2);
  });

  it('replaces what the CRD filled in, keeps conditions of other types, and drops its own that are over', async () => {
    const object = await gateway('types');
    const foreign = { ...theirs.conditions[0], type: 'example.com/Theirs' };
    await patchObject(client, object, { status: { conditions: [...conditionsOf(object), foreign] } }, 'status');
    const listeners = [{ name: 'http', supportedKinds: [], attachedRoutes: 0, conditions: [condition('Accepted')] }];
    const addresses = [{ type: 'Hostname', value: 'a.example.com' }];
    const conditions = [condition('Accepted'), condition('DNSManagement')];
    await writeStatus(client, claimFor(object, { conditions, listeners, addresses }), await read(object));
    await writeStatus(client, claimFor(object, { conditions: conditions.slice(0, 1), listeners }), await read(object));
    const stored = await read(object);
    assert.deepEqual(
      conditionsOf(stored).map(({ type, status }) => [type, status]),
      [
        ['Accepted', 'True'],
        ['example.com/Theirs', 'False'],
      ],
    );
    assert.equal((stored['status'] as { addresses?: unknown }).addresses, undefined);
  });

  it('keeps what it holds', async () => {
    const object = await route('held');
    const write = async (...conditions: readonly Condition[]): Promise<readonly StoredCondition[]> => {
      const claim = claimFor(object, { parents: [ours('web', ...conditions)] });
      await writeStatus(client, claim, await read(object));
      return parentsOf(await read(object))[0]?.conditions ?? [];
    };
    const [first] = await write({ ...condition('ResolvedRefs', 'Unknown'), held: true });
    assert.deepEqual([first?.status, first !== undefined && 'held' in first], ['Unknown', false]);
    await write(condition('ResolvedRefs', 'False'));
    const [kept] = await write({ ...condition('ResolvedRefs', 'Unknown'), held: true });
    assert.equal(kept?.status, 'False');
    const claim = claimFor(object, { parents: [{ ...ours('web'), held: true }] });
    assert.equal((await writeStatus(client, claim, await read(object))).outcome, 'same');
    const unknown = claimFor(await route('never'), { parents: [{ ...ours('web'), held: true }] });
    assert.equal((await writeStatus(client, unknown, await route('never'))).outcome, 'written');
    assert.deepEqual(parentsOf(await route('never')), []);
  });

  it('says that an object is gone, or is another by now', async () => {
    const object = await route('gone');
    await server.kubectl(['-n', namespace, 'delete', 'httproute', 'gone']);
    const claim = claimFor(object, { parents: [ours('web', condition('Accepted'))] });
    assert.equal((await writeStatus(client, claim, object)).outcome, 'gone');
    const again = await route('gone');
    assert.equal((await writeStatus(client, claim, object)).outcome, 'gone');
    assert.deepEqual(parentsOf(await read(again)), []);
  });

  it('sets and removes its finalizer beside those of others', async () => {
    const object = await gateway('final');
    const [mine, other] = ['cloudflare-gateway-controller.io/test', 'example.com/theirs'];
    await patchObject(client, object, { metadata: { finalizers: [other] } });
    await addFinalizer(client, object, mine);
    assert.deepEqual((await read(object)).metadata.finalizers, [other, mine]);
    client.writes();
    await addFinalizer(client, await read(object), mine);
    assert.equal(client.writes(), 0);
    const before = await read(object);
    await server.kubectl(['-n', namespace, 'delete', 'gateway', 'final', '--wait=false']);
    await removeFinalizer(client, before, mine);
    assert.deepEqual((await read(object)).metadata.finalizers, [other]);
    client.writes();
    await addFinalizer(client, await read(object), mine);
    await removeFinalizer(client, await read(object), mine);
    assert.equal(client.writes(), 0);
    await removeFinalizer(client, await read(object), other);
    assert.equal(await removeFinalizer(client, before, mine), undefined);
  });

  it('tells each sentence once, also after a restart, and again when it comes back', async () => {
    const object = await route('told');
    const events = async (): Promise<readonly string[]> => {
      const { objects } = await listObjects(client, knownKind('Event'), { namespace });
      const about = objects.filter((event) => (event['regarding'] as { name: string }).name === 'told');
      return about.map((event) => String(event['note'])).toSorted();
    };
    const say = (writer: ReturnType<typeof createEventWriter>, note: string): Promise<void> =>
      writer.tell({ object, type: 'Warning', reason: 'Broken', action: 'Reconcile', note });
    const first = createEventWriter({ client, instance: 'pod-1' });
    await say(first, 'one');
    await say(first, 'one');
    const second = createEventWriter({ client, instance: 'pod-2' });
    await say(second, 'one');
    assert.deepEqual(await events(), ['one']);
    await say(second, 'two');
    await say(second, 'one');
    assert.deepEqual(await events(), ['one', 'one', 'two']);
    second.forget(object, 'Broken');
    await say(second, 'one');
    await say(second, 'x'.repeat(2000));
    assert.equal((await events()).length, 5);
  });
});
