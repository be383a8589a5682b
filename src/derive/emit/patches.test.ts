import assert from 'node:assert/strict';
import type { KubeObject } from '../../facts/object.ts';
import type { JsonPatchOperation } from '../plane.ts';
import { patched } from './patches.ts';
import { frozen } from './testplane.test.ts';

const original: KubeObject = frozen({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'gateway-web-primary', labels: { 'a/b': 'c' } },
  spec: { replicas: 1, paths: ['a', 'b', 'c'], nested: { deep: { x: 1 } } },
});

const anything = (): undefined => undefined;
const spec = (...operations: JsonPatchOperation[]): unknown => patched(original, operations, anything).object?.spec;
const problem = (...operations: JsonPatchOperation[]): string | undefined =>
  patched(original, operations, anything).problem;

describe('patches', () => {
  it('do what RFC 6902 says, in their order', () => {
    const result = spec(
      { op: 'test', path: '/spec/replicas', value: 1 },
      { op: 'replace', path: '/spec/replicas', value: 2 },
      { op: 'add', path: '/spec/paths/1', value: 'new' },
      { op: 'add', path: '/spec/paths/-', value: 'last' },
      { op: 'remove', path: '/spec/paths/0' },
      { op: 'copy', from: '/spec/nested/deep', path: '/spec/copied' },
      { op: 'move', from: '/spec/nested/deep/x', path: '/spec/moved' },
    );
    assert.deepEqual(result, {
      replicas: 2,
      paths: ['new', 'b', 'c', 'last'],
      nested: { deep: {} },
      copied: { x: 1 },
      moved: 1,
    });
  });

  it('reach names with a slash in them', () => {
    const result = patched(original, [{ op: 'replace', path: '/metadata/labels/a~1b', value: 'd' }], anything);
    assert.deepEqual(result.object?.metadata.labels, { 'a/b': 'd' });
  });

  it('look up the target of a move when the source is gone', () => {
    assert.deepEqual(spec({ op: 'move', from: '/spec/paths/0', path: '/spec/paths/2' }), {
      replicas: 1,
      paths: ['b', 'c', 'a'],
      nested: { deep: { x: 1 } },
    });
    assert.match(
      problem({ op: 'move', from: '/spec/paths/0', path: '/spec/paths/3' }) ?? '',
      /no place of that list of 2/,
    );
  });

  it('leave the value of another operation and the original alone', () => {
    const value = { list: ['a'] };
    const result = spec(
      { op: 'add', path: '/spec/one', value },
      { op: 'copy', from: '/spec/one', path: '/spec/two' },
      { op: 'add', path: '/spec/two/list/-', value: 'b' },
    ) as Record<string, unknown>;
    assert.deepEqual([result.one, result.two], [{ list: ['a'] }, { list: ['a', 'b'] }]);
    assert.deepEqual(value, { list: ['a'] });
  });

  it('take null for a field that is left out', () => {
    const result = spec(
      { op: 'add', path: '/spec/nested', value: null },
      { op: 'add', path: '/spec/n', value: [{ a: null }] },
    );
    assert.deepEqual(result, { replicas: 1, paths: ['a', 'b', 'c'], n: [{}] });
  });

  it('say index, operation, path, cause and fix in one sentence', () => {
    assert.equal(
      problem(
        { op: 'replace', path: '/spec/replicas', value: 2 },
        { op: 'replace', path: '/spec/template/spec', value: {} },
      ),
      'spec.tunnel.patches[1] (replace /spec/template/spec) cannot be applied to Deployment gateway-web-primary: there is no /spec/template; correct the path, or add what is missing first.',
    );
  });

  const refused: readonly (readonly [string, JsonPatchOperation, RegExp])[] = [
    ['a test that fails', { op: 'test', path: '/spec/replicas', value: 3 }, /the value there is 1, not 3/],
    ['a test without value', { op: 'test', path: '/spec/replicas' }, /test needs value/],
    ['a test of what is not there', { op: 'test', path: '/spec/none', value: null }, /no \/spec\/none/],
    ['an add without value', { op: 'add', path: '/spec/x' }, /add needs value/],
    ['a replace without value', { op: 'replace', path: '/spec/replicas' }, /replace needs value/],
    ['a copy without from', { op: 'copy', path: '/spec/x' }, /copy needs from/],
    ['a move into itself', { op: 'move', from: '/spec', path: '/spec/x' }, /into itself/],
    ['an unknown operation', { op: 'merge', path: '/spec/x', value: 1 }, /use one of add, /],
    ['an add below nothing', { op: 'add', path: '/spec/a/b', value: 1 }, /no \/spec\/a;/],
    ['an add below a number', { op: 'add', path: '/spec/replicas/b', value: 1 }, /has no fields/],
    ['a remove of nothing', { op: 'remove', path: '/spec/none' }, /no \/spec\/none/],
    ['an index past the end', { op: 'add', path: '/spec/paths/4', value: 'x' }, /no place of that list of 3/],
    ['an index with a zero in front', { op: 'replace', path: '/spec/paths/01', value: 'x' }, /no \/spec\/paths\/01/],
    ['- for something that is there', { op: 'replace', path: '/spec/paths/-', value: 'x' }, /no \/spec\/paths\/-/],
    ['the length of a list', { op: 'remove', path: '/spec/paths/length' }, /no \/spec\/paths\/length/],
    ['a letter of a text', { op: 'replace', path: '/kind/0', value: 'x' }, /no \/kind\/0/],
    ['what every object inherits', { op: 'replace', path: '/spec/toString', value: 'x' }, /no \/spec\/toString/],
    ['a prototype', { op: 'add', path: '/spec/__proto__/polluted', value: 1 }, /__proto__ cannot be a field/],
    ['a constructor', { op: 'copy', from: '/spec/constructor', path: '/spec/x' }, /constructor cannot be a field/],
    ['the whole', { op: 'replace', path: '', value: {} }, /as a whole/],
    ['a path without a slash', { op: 'remove', path: 'spec' }, /no JSON pointer/],
    ['a path with a lone ~', { op: 'remove', path: '/spec/~2' }, /no JSON pointer/],
  ];
  for (const [what, operation, expected] of refused) {
    it(`refuse ${what}`, () => {
      const before = JSON.stringify(original);
      assert.match(problem(operation) ?? 'it was applied', expected);
      assert.equal(JSON.stringify(original), before);
      assert.equal(({} as Record<string, unknown>).polluted, undefined);
    });
  }
});
