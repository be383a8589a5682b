import { storeOf, type Input } from '../../src/cli/facts.ts';
import { createDerivation, type Derivation } from '../../src/derive/derive.ts';
import { keyOf, type KubeObject } from '../../src/facts/object.ts';
import type { FactStore } from '../../src/facts/store.ts';

export const options = { filename: [], channel: 'auto' } as const;

/** All facts at once. */
export function atOnce(input: Input): Derivation {
  const derivation = createDerivation(storeOf(input, options));
  derivation.settle();
  return derivation;
}

/** The same facts in another order. */
export function reordered(input: Input, order: (names: string[]) => string[]): Derivation {
  const names = order([...input.facts.keys()]);
  const facts = new Map(names.flatMap((name) => [...input.facts].filter(([each]) => each === name)));
  return atOnce({ ...input, facts });
}

/**
 * From nothing to all facts, one by one, with everything brought up to date after each: what was remembered on the way must not
 * show. What is unknown stays so from the start, as it would offline.
 */
export function oneByOne(input: Input): Derivation {
  const store = storeOf(input, options);
  const objects = [...input.facts.values()].map(({ object }) => object);
  for (const object of objects) remove(store, object);
  const derivation = createDerivation(store);
  derivation.settle();
  for (const object of objects) {
    store.set(object);
    derivation.settle();
  }
  return derivation;
}

function remove(store: FactStore, object: KubeObject): void {
  store.delete(object.kind, keyOf(object));
}
