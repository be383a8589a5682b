import assert from 'node:assert/strict';
import { admits } from './allowedroutes.ts';
import { derived } from './testfacts.test.ts';

const namespaces = `
apiVersion: v1
kind: Namespace
metadata: {name: blue, labels: {team: blue}}
---
apiVersion: v1
kind: Namespace
metadata: {name: red, labels: {team: red}}
`;

type Allowed = Parameters<typeof admits>[0];

function admitted(allowed: Allowed, from: readonly string[], unknown: readonly string[] = []): readonly unknown[] {
  const { read } = derived(unknown.length === 0 ? namespaces : '', { unknown });
  return from.map((namespace) => admits(allowed, 'blue', namespace, read));
}

const selector = (matchLabels: Record<string, string>): Allowed => ({ from: 'Selector', selector: { matchLabels } });

describe('Allowed routes', () => {
  it('come from the Gateway’s namespace unless something else is said', () => {
    assert.deepEqual(admitted(undefined, ['blue', 'red']), ['admitted', 'refused']);
    assert.deepEqual(admitted({ from: 'Same' }, ['blue', 'red']), ['admitted', 'refused']);
    assert.deepEqual(admitted({ from: 'All' }, ['blue', 'red']), ['admitted', 'admitted']);
  });

  it('come from the namespaces with the labels', () => {
    assert.deepEqual(admitted(selector({ team: 'red' }), ['blue', 'red', 'gone']), ['refused', 'admitted', 'refused']);
    assert.deepEqual(admitted({ from: 'Selector' }, ['blue']), ['refused']);
  });

  it('know the label with the name of a namespace without reading it', () => {
    const byName = selector({ 'kubernetes.io/metadata.name': 'red' });
    assert.deepEqual(admitted(byName, ['blue', 'red']), ['refused', 'admitted']);
    assert.deepEqual(admitted(byName, ['blue', 'red'], ['Namespace']), ['refused', 'admitted']);
  });

  it('cannot be told where the namespace cannot be read', () => {
    assert.deepEqual(admitted(selector({ team: 'red' }), ['red'], ['Namespace']), [
      { unknown: 'Namespaces are not read' },
    ]);
    assert.deepEqual(admitted({ from: 'All' }, ['red'], ['Namespace']), ['admitted']);
  });
});
