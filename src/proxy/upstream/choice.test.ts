import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { choose, weightedChoice } from './choice.ts';

describe('weighted choice', () => {
  it('gives an item the part of the numbers that its weight is of the total', () => {
    const choice = weightedChoice(['a', 'b', 'c'], (item) => ({ a: 1, b: 2, c: 1 })[item] ?? 0);
    const at = (point: number): string | undefined => choose(choice, () => point);
    assert.deepEqual([0, 0.24, 0.25, 0.5, 0.74, 0.75, 0.999].map(at), ['a', 'a', 'b', 'b', 'b', 'c', 'c']);
  });

  it('gives an item of weight 0 nothing, and chooses nothing where all are 0', () => {
    assert.equal(
      choose(
        weightedChoice(['a', 'b'], (item) => (item === 'a' ? 0 : 1)),
        () => 0,
      ),
      'b',
    );
    assert.equal(
      choose(
        weightedChoice(['a', 'b'], () => 0),
        () => 0,
      ),
      undefined,
    );
    assert.equal(
      choose(
        weightedChoice([], () => 1),
        () => 0,
      ),
      undefined,
    );
  });

  it('always chooses an item that has a weight', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1 }),
        fc.double({ min: 0, max: 0.9999999999, noNaN: true }),
        (weights, point) => {
          const items = weights.map((weight, index) => ({ weight, index }));
          const chosen = choose(
            weightedChoice(items, ({ weight }) => weight),
            () => point,
          );
          return weights.every((weight) => weight === 0) ? chosen === undefined : (chosen?.weight ?? 0) > 0;
        },
      ),
    );
  });
});
