import assert from 'node:assert/strict';
import { labels as keys, managedBy } from '../../api/names.ts';
import type { KubeObject } from '../../facts/object.ts';
import { objectStepText, planHandOver, planObjects } from './objectplan.ts';
import { ownedBy, type PlaneScope } from './ownership.ts';

const scope: PlaneScope = {
  owner: { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'Gateway', name: 'web', uid: 'u1' },
  labels: { [keys.instance]: 'web' },
};
const labels = { ...scope.labels, [keys.managedBy]: managedBy };

function object(kind: string, name: string, metadata: object = {}): KubeObject {
  return {
    apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
    kind,
    metadata: { namespace: 'shop', name, labels, ...metadata },
  };
}

const owner = (change: object = {}): object => ({ ...scope.owner, controller: true, ...change });

describe('the plan of the objects of a plane', () => {
  it('makes first what the others need, and deletes the other way round', () => {
    const names = ['Deployment', 'Other', 'ConfigMap', 'Secret', 'ServiceAccount'];
    const kinds = names.map((kind) => object(kind, 'x'));
    const made = planObjects(kinds, [], scope).steps.map(objectStepText);
    assert.deepEqual(made, [
      'create ServiceAccount shop/x',
      'create Secret shop/x',
      'create ConfigMap shop/x',
      'create Deployment shop/x',
      'create Other shop/x',
    ]);
    const gone = planObjects(
      [],
      kinds.map((each) => ownedBy(scope, each)),
      scope,
    ).steps.map(objectStepText);
    assert.deepEqual(gone, made.map((line) => `${line.replace('create', 'delete')}: no longer wanted`).toReversed());
  });

  it('adds the owner and asks for the very object it saw', () => {
    const [step] = planObjects([object('ConfigMap', 'x')], [object('ConfigMap', 'x', { uid: 'seen' })], scope).steps;
    assert.equal(step?.action, 'update');
    assert.deepEqual(step.object.metadata['ownerReferences'], [owner({ blockOwnerDeletion: true })]);
    assert.equal(step.object.metadata.uid, 'seen');
  });

  it('refuses what belongs to others, and takes what nobody owns or an earlier Gateway of the name owned', () => {
    const plan = (metadata: object): ReturnType<typeof planObjects> =>
      planObjects([object('ConfigMap', 'x')], [object('ConfigMap', 'x', metadata)], scope);
    const foreign = [{ labels: {} }, { ownerReferences: [owner({ uid: 'u2', name: 'other' })] }];
    for (const metadata of foreign) {
      const { steps, refusals } = plan(metadata);
      assert.deepEqual(steps, []);
      assert.match(refusals[0] ?? '', /^ConfigMap shop\/x exists and .*; it is left as it is: /);
    }
    for (const metadata of [
      {},
      { ownerReferences: [owner({ uid: 'old' })] },
      { labels: {}, ownerReferences: [owner()] },
    ])
      assert.equal(plan(metadata).steps.length, 1);
  });

  it('waits for what is being deleted', () => {
    const going = object('ConfigMap', 'x', { deletionTimestamp: '2026-01-01T00:00:00Z', ownerReferences: [owner()] });
    const plan = planObjects([object('ConfigMap', 'x')], [going], scope);
    assert.deepEqual(plan, { steps: [], refusals: [], awaited: ['ConfigMap shop/x is being deleted'] });
    assert.deepEqual(planObjects([], [going], scope).steps, []);
  });

  it('deletes nothing without our labels, without our owner, or that is to be kept', () => {
    const others = [
      object('ConfigMap', 'unlabelled', { labels: {}, ownerReferences: [owner()] }),
      object('ConfigMap', 'unowned'),
      object('ConfigMap', 'other', { ownerReferences: [owner({ uid: 'u2' })] }),
    ];
    assert.deepEqual(planObjects([], others, scope).steps, []);
    const kept = ownedBy(scope, object('ConfigMap', 'kept'));
    assert.deepEqual(planObjects([], [kept], scope, { keep: ({ kind }) => kind === 'ConfigMap' }).steps, []);
  });

  it('hands over what is ours', () => {
    const mine = ownedBy(scope, object('ConfigMap', 'x'));
    assert.deepEqual(planHandOver([mine, object('ConfigMap', 'y')], scope).map(objectStepText), [
      'disown ConfigMap shop/x: Gateway web is handed over',
    ]);
  });
});
