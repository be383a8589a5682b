import assert from 'node:assert/strict';
import { createDerivation, type Derivation } from '../../src/derive/derive.ts';
import * as declared from '../../src/derive/rules/collections.ts';
import { keyOf, type KubeObject } from '../../src/facts/object.ts';
import { controllerSettings } from '../../src/facts/settings.ts';
import { createFactStore, type FactStore } from '../../src/facts/store.ts';
import { route, world } from '../perf/derive/world.ts';
import { anyObject, baseObjects, knownKinds, randomOf, type Random } from './world.ts';

const histories = 10_000;
/** Changes of one history before the two results are compared, and how often that happens. */
const changesAtOnce = 4;
const comparisons = 2;

describe('the incremental result', () => {
  it(`equals the result from scratch over ${histories} histories of changes`, function () {
    this.timeout(600_000);
    const base = Number(process.env['SEED'] ?? 1);
    const count = process.env['SEED'] === undefined ? histories : 1;
    const served = Array.from({ length: count }, (_, index) => play(base + index));
    // A world in which nothing is ever served would prove nothing.
    const share = served.filter(Boolean).length / count;
    if (count > 1) assert.ok(share > 0.25, `only ${(share * 100).toFixed(0)} % of the worlds serve anything`);
  });

  it('recomputes at most 2 % of everything when one route of 5,000 changes', function () {
    this.timeout(60_000);
    const store = createFactStore();
    store.set(controllerSettings());
    for (const object of world(5000)) store.set(object);
    const derivation = createDerivation(store);
    derivation.settle();
    const all = derivation.derivations();
    store.set(route(2500, 'changed'));
    derivation.settle();
    const share = (derivation.derivations() - all) / all;
    assert.ok(share > 0 && share <= 0.02, `${(share * 100).toFixed(2)} % were recomputed`);
  });
});

/** One history. Returns whether any route was served at its end. */
function play(seed: number): boolean {
  const random = randomOf(seed * 7919);
  const store = createFactStore();
  store.set(controllerSettings({ assumeUnknown: random(2) === 0 }));
  for (const object of baseObjects()) store.set(object);
  for (let count = 8 + random(12); count > 0; count -= 1) store.set(anyObject(random));
  const derivation = createDerivation(store);
  derivation.settle();
  for (let comparison = 0; comparison < comparisons; comparison += 1) {
    for (let count = 1 + random(changesAtOnce); count > 0; count -= 1) change(store, random);
    derivation.settle();
    assert.deepEqual(shown(derivation), shown(fromScratch(store)), `run it alone with SEED=${seed}`);
  }
  return [...derivation.planes().values()].some(({ table }) => table.text.includes('"rule":'));
}

function change(store: FactStore, random: Random): void {
  const what = random(10);
  const object = anyObject(random);
  if (what < 6) return store.set(object);
  if (what < 9) return store.delete(object.kind, keyOf(object));
  const kind = knownKinds[random(knownKinds.length)] ?? 'Secret';
  store.know(kind, random(2) === 0 ? { complete: true } : { complete: false, why: `${kind} cannot be listed` });
}

const kinds = Object.values(declared).map(({ name }) => name);

function fromScratch(store: FactStore): Derivation {
  const copy = createFactStore();
  for (const kind of kinds) {
    copy.know(kind, store.knowledge(kind));
    for (const key of [...store.keys(kind)].toReversed()) copy.set(store.get(kind, key) as KubeObject);
  }
  const derivation = createDerivation(copy);
  derivation.settle();
  return derivation;
}

function shown(derivation: Derivation): object {
  return {
    planes: [...derivation.planes()],
    statuses: [...derivation.statuses()],
    findings: derivation.findings(),
  };
}
