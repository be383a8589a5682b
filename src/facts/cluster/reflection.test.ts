import assert from 'node:assert/strict';
import { createFactStore, type FactStore } from '../store.ts';
import type { KubeObject } from '../object.ts';
import { createReflection, type Reflection } from './reflection.ts';
import { watched } from './watchedkind.ts';

const kind = watched('ConfigMap');

function object(name: string, resourceVersion: string, uid = name): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, uid, resourceVersion } };
}

describe('one kind in the store', () => {
  let store: FactStore;
  let reflection: Reflection;

  beforeEach(() => {
    store = createFactStore();
    reflection = createReflection(store, kind);
  });

  const versions = (): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      [...store.keys('ConfigMap')].map((key) => [key, store.get('ConfigMap', key)?.metadata.resourceVersion]),
    );

  it('passes over states older than what it has', () => {
    reflection.observe(object('a', '100'), 'v1');
    reflection.observe(object('a', '99'), 'v1');
    assert.deepEqual(versions(), { a: '100' });
    reflection.replace([object('a', '98')], '98', 'v1');
    assert.deepEqual(versions(), { a: '98' }, 'a list from before all we know is a restored cluster');
  });

  it('keeps what was written after the moment of a list', () => {
    reflection.replace([object('a', '5')], '10', 'v1');
    reflection.observe(object('b', '20'), 'v1');
    reflection.replace([], '20', 'v1');
    assert.deepEqual(versions(), {});
    reflection.observe(object('c', '30'), 'v1');
    reflection.remove(object('gone', '40'));
    reflection.replace([object('c', '30')], '41', 'v1');
    assert.deepEqual(versions(), { c: '30' });
  });

  it('takes an object made again under its name for another', () => {
    reflection.replace([object('a', '5', 'old')], '10', 'v1');
    const changes: unknown[] = [];
    store.subscribe((change) => changes.push([change.key, store.get('ConfigMap', 'a')?.metadata.uid]));
    reflection.replace([object('a', '12', 'new')], '20', 'v1');
    assert.deepEqual(changes, [
      ['a', undefined],
      ['a', 'new'],
    ]);
    reflection.remove(object('a', '11', 'old'));
    assert.deepEqual(versions(), { a: '12' });
    reflection.remove(object('a', '21', 'new'));
    assert.deepEqual(versions(), {});
  });

  it('tells how much is known once', () => {
    const changes: unknown[] = [];
    store.subscribe((change) => changes.push(change));
    reflection.know({ complete: false, why: 'a' });
    reflection.know({ complete: false, why: 'a' });
    reflection.know({ complete: false, why: 'b' });
    reflection.know({ complete: true });
    reflection.know({ complete: true });
    assert.equal(changes.length, 3);
  });
});
