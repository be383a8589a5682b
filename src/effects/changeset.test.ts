import assert from 'node:assert/strict';
import type { KubeObject } from '../facts/object.ts';
import { changeSet, stepText } from './changeset.ts';

const map = (name: string, value: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  data: { value },
});

const steps = (before: readonly KubeObject[], after: readonly KubeObject[]): string[] =>
  changeSet(before, after).map(stepText);

describe('change set', () => {
  it('is empty where nothing differs, whether the values are the same or only equal', () => {
    const kept = map('a', '1');
    assert.deepEqual(steps([kept], [kept]), []);
    assert.deepEqual(steps([map('a', '1')], [map('a', '1')]), []);
  });

  it('creates, updates and deletes, deletions last', () => {
    const before = [map('a', '1'), map('b', '1')];
    const after = [map('b', '2'), map('c', '1')];
    assert.deepEqual(steps(before, after), [
      'update ConfigMap shop/b',
      'create ConfigMap shop/c',
      'delete ConfigMap shop/a',
    ]);
  });
});
