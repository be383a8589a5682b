import assert from 'node:assert/strict';
import { supportedFeatures } from './supportedfeatures.ts';

describe('features that a class publishes', () => {
  it('are sorted, each there once, and not too many', () => {
    const names = supportedFeatures.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)].toSorted());
    assert.ok(names.length <= 64);
  });
});
