import assert from 'node:assert/strict';
import type { KubeObject } from '../../facts/object.ts';
import { createFactStore, type FactStore } from '../../facts/store.ts';
import { collection, index, rule, view, type Index, type Rule, type View } from './declare.ts';
import { createEngine, type Engine } from './engine.ts';

interface Thing extends KubeObject {
  readonly spec: { readonly group: string; readonly size: number };
}

const things = collection<Thing>('Thing');
const thing = (name: string, group: string, size: number): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name },
  spec: { group, size },
});

/** Derivations by view, so that a test can say what ran and what did not. */
function world() {
  const ran: string[] = [];
  const sizeOf = view('sizeOf', (key, read) => {
    ran.push(`sizeOf ${key}`);
    return read(things, key).when({ present: ({ spec }) => spec.size, absent: () => 0, unknown: () => -1 });
  });
  const isLarge = view('isLarge', (key, read) => {
    ran.push(`isLarge ${key}`);
    return read(sizeOf, key) > 10;
  });
  const byGroup = index('byGroup', things, (key, read) =>
    read(things, key).when({ present: ({ spec }) => [spec.group], absent: () => [], unknown: () => [] }),
  );
  const largeOf = view('largeOf', (group, read) => {
    ran.push(`largeOf ${group}`);
    return read(byGroup, group).filter((key) => read(isLarge, key));
  });
  const groups = rule('groups', { each: byGroup, emit: (group, read) => read(largeOf, group).join(' ') });
  return { ran, sizeOf, isLarge, byGroup, largeOf, groups };
}

function start(
  stages: readonly (Index | Rule<unknown>)[],
  objects: readonly KubeObject[],
): { store: FactStore; engine: Engine } {
  const store = createFactStore();
  for (const object of objects) store.set(object);
  const engine = createEngine(store, stages);
  return { store, engine };
}

describe('the engine', () => {
  it('emits for every member of a derived collection, and then only what came out differently', () => {
    const { byGroup, groups } = world();
    const { store, engine } = start([byGroup, groups], [thing('a', 'g', 11), thing('b', 'g', 1), thing('c', 'h', 12)]);
    assert.deepEqual(engine.settle().get('groups'), [
      { key: 'g', before: undefined, after: 'a' },
      { key: 'h', before: undefined, after: 'c' },
    ]);
    store.set(thing('b', 'g', 20));
    assert.deepEqual(engine.settle().get('groups'), [{ key: 'g', before: 'a', after: 'a b' }]);
    store.delete('Thing', 'c');
    assert.deepEqual(engine.settle().get('groups'), [{ key: 'h', before: 'c', after: undefined }]);
    assert.deepEqual([...engine.settle()], []);
  });

  it('derives a result once, however many read it', () => {
    const { ran, byGroup, groups, isLarge } = world();
    const again = rule('again', { each: things, emit: (key, read) => read(isLarge, key) });
    const { engine } = start([byGroup, groups, again], [thing('a', 'g', 11)]);
    engine.settle();
    engine.settle();
    assert.deepEqual(ran, ['largeOf g', 'isLarge a', 'sizeOf a']);
    const before = engine.derivations();
    assert.equal(engine.read(isLarge, 'a'), true);
    assert.equal(engine.derivations(), before);
  });

  it('stops where a result comes out equal', () => {
    const { ran, byGroup, groups } = world();
    const { store, engine } = start([byGroup, groups], [thing('a', 'g', 11)]);
    engine.settle();
    ran.length = 0;
    store.set(thing('a', 'g', 12));
    engine.settle();
    assert.deepEqual(ran, ['sizeOf a', 'isLarge a']);
  });

  it('leaves alone what read nothing of a change', () => {
    const { ran, byGroup, groups } = world();
    const { store, engine } = start([byGroup, groups], [thing('a', 'g', 11), thing('b', 'h', 1)]);
    engine.settle();
    ran.length = 0;
    store.set(thing('b', 'h', 30));
    engine.settle();
    assert.deepEqual(
      ran.filter((each) => each.endsWith(' a') || each.endsWith(' g')),
      [],
    );
  });

  it('moves a member from one bucket to another', () => {
    const { byGroup, groups } = world();
    const { store, engine } = start([byGroup, groups], [thing('a', 'g', 11)]);
    engine.settle();
    store.set(thing('a', 'h', 11));
    assert.deepEqual(engine.settle().get('groups'), [
      { key: 'g', before: 'a', after: undefined },
      { key: 'h', before: undefined, after: 'a' },
    ]);
  });

  it('tells absent from unknown, and learns that a kind has become known', () => {
    const { sizeOf } = world();
    const sizes = rule('sizes', { each: collection('Name'), emit: (key, read) => read(sizeOf, key) });
    const { store, engine } = start([sizes], [{ apiVersion: 'v1', kind: 'Name', metadata: { name: 'x' } }]);
    store.know('Thing', { complete: false, why: 'not listed yet' });
    assert.equal(engine.settle().get('sizes')?.[0]?.after, -1);
    store.know('Thing', { complete: true });
    assert.equal(engine.settle().get('sizes')?.[0]?.after, 0);
    store.set(thing('x', 'g', 5));
    assert.equal(engine.settle().get('sizes')?.[0]?.after, 5);
  });

  it('tells whether all of a kind is known, and when that changes', () => {
    const isKnown = rule('isKnown', {
      each: collection('Name'),
      emit: (_key, read) =>
        read.all(things).when({ present: () => 'all', absent: () => 'none', unknown: (why) => `not all: ${why}` }),
    });
    const { store, engine } = start([isKnown], [{ apiVersion: 'v1', kind: 'Name', metadata: { name: 'x' } }]);
    assert.equal(engine.settle().get('isKnown')?.[0]?.after, 'all');
    store.know('Thing', { complete: false, why: 'forbidden' });
    assert.equal(engine.settle().get('isKnown')?.[0]?.after, 'not all: forbidden');
    store.set(thing('a', 'g', 1));
    assert.deepEqual([...engine.settle()], []);
  });

  it('files the keys of an index under an index of their own', () => {
    const { byGroup } = world();
    const byInitial = index('byInitial', byGroup, (group) => [group.slice(0, 1)]);
    const initials = rule('initials', { each: byInitial, emit: (initial, read) => read(byInitial, initial).join(' ') });
    const { store, engine } = start([byGroup, byInitial, initials], [thing('a', 'go', 1), thing('b', 'gu', 1)]);
    assert.deepEqual(engine.settle().get('initials'), [{ key: 'g', before: undefined, after: 'go gu' }]);
    store.delete('Thing', 'a');
    assert.deepEqual(engine.settle().get('initials'), [{ key: 'g', before: 'go gu', after: 'gu' }]);
  });

  it('refuses an index that is read before its place', () => {
    const { byGroup, groups } = world();
    const early = index('early', things, (_key, read) => read(byGroup, 'g'));
    const { engine } = start([early, byGroup, groups], [thing('a', 'g', 1)]);
    assert.throws(() => engine.settle(), /index byGroup is read before its place in the reading order/);
  });

  it('names the way to a view that needs itself', () => {
    const circle: View<number> = view<number>('circle', (key, read) => read(other, key));
    const other: View<number> = view<number>('other', (key, read) => read(circle, key));
    const all = rule('all', { each: things, emit: (key, read) => read(circle, key) });
    const { engine } = start([all], [thing('a', 'g', 1)]);
    assert.throws(() => engine.settle(), /all\(a\) > circle\(a\) > other\(a\) > circle\(a\) reads itself/);
  });

  it('forgets results that nothing reads any more', () => {
    const { ran, byGroup, groups } = world();
    const { store, engine } = start([byGroup, groups], [thing('a', 'g', 11)]);
    engine.settle();
    store.delete('Thing', 'a');
    engine.settle();
    assert.deepEqual([...engine.reads().values()].flat(), []);
    ran.length = 0;
    store.set(thing('a', 'g', 11));
    engine.settle();
    assert.ok(ran.includes('sizeOf a'));
  });

  it('tells by view what was read, and knows no view without a result', () => {
    const { byGroup, groups } = world();
    const { engine } = start([byGroup, groups], [thing('a', 'g', 11), thing('b', 'g', 1)]);
    engine.settle();
    assert.deepEqual(engine.reads().get('largeOf'), ['byGroup/g', 'isLarge/a', 'isLarge/b']);
    assert.deepEqual(engine.reads().get('sizeOf'), ['Thing/a', 'Thing/b']);
    assert.throws(() => engine.view('nothing'), /no result of a view named nothing/);
  });

  it('explains a result by what it read', () => {
    const { byGroup, groups, largeOf } = world();
    const { engine } = start([byGroup, groups], [thing('a', 'g', 11)]);
    engine.settle();
    const [members, large] = engine.explain(largeOf, 'g');
    assert.deepEqual([members?.name, members?.key, large?.name, large?.key], ['byGroup', 'g', 'isLarge', 'a']);
    const [size] = large?.reads?.() ?? [];
    assert.deepEqual(
      size?.reads?.().map(({ name, key }) => `${name} ${key}`),
      ['Thing a'],
    );
  });
});
