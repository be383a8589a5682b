import assert from 'node:assert/strict';
import type { Condition } from '../../api/conditions.ts';
import { controllerName } from '../../api/names.ts';
import type { KubeObject } from '../../facts/object.ts';
import { statusDiffers, withdrawal } from './status.ts';
import { mergeStatus } from './statusmerge.ts';

const now = '2026-01-02T00:00:00Z';
const before = '2026-01-01T00:00:00Z';

function condition(type: string, status: Condition['status'], observedGeneration = 1): Condition {
  return { type, status, reason: 'R', message: 'm', observedGeneration };
}

function route(status: object, generation = 1): KubeObject {
  const metadata = { namespace: 'shop', name: 'a', generation };
  return { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata, status };
}

function claim(status: Readonly<Record<string, unknown>>, kind = 'HTTPRoute'): Parameters<typeof mergeStatus>[0] {
  return { apiVersion: 'gateway.networking.k8s.io/v1', kind, namespace: 'shop', name: 'a', status };
}

const entry = (name: string, conditions: readonly unknown[], controller = controllerName): object => ({
  parentRef: { name },
  controllerName: controller,
  conditions,
});

describe('a status put into what is stored', () => {
  it('keeps entries in their places and the references as they are stored', () => {
    const stored = entry('web', [{ ...condition('Accepted', 'True'), lastTransitionTime: before }]);
    const defaulted = {
      ...stored,
      parentRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'web' },
    };
    const theirs = entry('web', [], 'example.com/other');
    const object = route({ parents: [defaulted, theirs] });
    const same = claim({ parents: [entry('web', [{ ...condition('Accepted', 'True'), gone: undefined }])] });
    assert.ok(!statusDiffers(same, object));
    const merged = mergeStatus(
      claim({ parents: [entry('new', []), entry('web', [condition('Accepted', 'False')])] }),
      object,
      now,
    );
    assert.ok(merged.is === 'merged');
    const parents = merged.status['parents'] as readonly { readonly parentRef: { readonly name: string } }[];
    assert.deepEqual(
      parents.map(({ parentRef }) => parentRef.name),
      ['web', 'web', 'new'],
    );
    assert.deepEqual(parents[1], theirs);
  });

  it('is stale where a later generation was seen, unless that generation does not exist', () => {
    const stored = { parents: [entry('web', [{ ...condition('Accepted', 'True', 3), lastTransitionTime: before }])] };
    const old = claim({ parents: [entry('web', [condition('Accepted', 'True', 2)])] });
    assert.equal(mergeStatus(old, route(stored, 3), now).is, 'stale');
    assert.ok(!statusDiffers(old, route(stored, 3)));
    assert.equal(mergeStatus(old, route(stored, 2), now).is, 'merged');
  });

  it('keeps what it holds', () => {
    const stored = { parents: [entry('web', [{ ...condition('ResolvedRefs', 'True'), lastTransitionTime: before }])] };
    const held = claim({ parents: [entry('web', [{ ...condition('ResolvedRefs', 'Unknown'), held: true }])] });
    assert.ok(!statusDiffers(held, route(stored)));
    const whole = claim({ parents: [{ ...entry('web', []), held: true }] });
    assert.ok(!statusDiffers(whole, route(stored)));
    assert.ok(!statusDiffers(whole, route({ parents: [] })));
  });

  it('takes back what it said, and only that', () => {
    const theirs = entry('web', [], 'example.com/other');
    const back = withdrawal(route({ parents: [entry('web', []), theirs] }));
    assert.deepEqual(back?.status, { parents: [] });
    const merged = mergeStatus(back, route({ parents: [entry('web', []), theirs] }), now);
    assert.deepEqual(merged, { is: 'merged', status: { parents: [theirs] }, dropped: 0 });
    assert.equal(withdrawal(route({ parents: [theirs] })), undefined);
  });

  it('leaves fields of a status that are not ours', () => {
    const object = { ...route({ theirs: 1, addresses: [1] }), kind: 'Gateway' };
    const merged = mergeStatus(claim({ conditions: [] }, 'Gateway'), object, now);
    assert.deepEqual(merged, { is: 'merged', status: { theirs: 1, conditions: [] }, dropped: 0 });
  });
});
