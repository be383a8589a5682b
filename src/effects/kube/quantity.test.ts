import assert from 'node:assert/strict';
import { isSameQuantity } from './quantity.ts';

describe('quantities', () => {
  it('are the same amount however they are written', () => {
    const pairs: readonly (readonly [unknown, unknown])[] = [
      ['1000m', '1'],
      [1, '1'],
      ['0.5Gi', '512Mi'],
      ['1e3', '1k'],
      ['1E3', '1000'],
      ['1.5', '1500m'],
      ['.5', '500m'],
      ['5.', '5'],
      ['-1', '-1000m'],
      ['1Ei', '1024Pi'],
      ['1n', '0.000000001'],
      ['0', '0Ki'],
    ];
    for (const [a, b] of pairs) assert.ok(isSameQuantity(a, b), `${String(a)} and ${String(b)}`);
  });

  it('are told apart, and from what is none', () => {
    const pairs: readonly (readonly [unknown, unknown])[] = [
      ['1', '2'],
      ['1k', '1Ki'],
      ['1', '-1'],
      ['x', 'x'],
      ['', ''],
      ['.', '.'],
      [undefined, undefined],
      ['1e-99', '1e-99'],
    ];
    for (const [a, b] of pairs) assert.ok(!isSameQuantity(a, b), `${String(a)} and ${String(b)}`);
  });
});
