import assert from 'node:assert/strict';
import { mergePatchBetween } from './mergepatch.ts';

describe('merge patches', () => {
  it('say only what differs, take away what is gone and replace lists whole', () => {
    const before = { same: 1, gone: 2, list: [1, 2], deep: { same: 1, gone: 1, changed: 1 } };
    const after = { same: 1, list: [2], deep: { same: 1, changed: 2 }, added: { a: 1 } };
    assert.deepEqual(mergePatchBetween(before, after), {
      gone: null,
      list: [2],
      deep: { gone: null, changed: 2 },
      added: { a: 1 },
    });
  });

  it('are nothing where nothing differs, undefined counting as absent', () => {
    assert.equal(mergePatchBetween({ a: { b: [1] } }, { a: { b: [1], c: undefined }, d: undefined }), undefined);
  });
});
