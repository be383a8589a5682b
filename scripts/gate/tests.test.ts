import assert from 'node:assert/strict';
import { tallyOf } from './tests.ts';

describe('the count of the tests', () => {
  it('is read from the closing summary', () => {
    assert.deepEqual(tallyOf({ code: 2, output: '\n  .!\n\n  12 passing (3s)\n  2 failing\n\n  1) a test\n' }), {
      passed: 12,
      failed: 2,
    });
  });

  it('holds one failure for a run that broke off before its summary', () => {
    assert.deepEqual(tallyOf({ code: 1, output: "Error: Cannot find module './gone.ts'\n" }), { passed: 0, failed: 1 });
  });

  it('is zero for a run without tests', () => {
    assert.deepEqual(tallyOf({ code: 0, output: '\n  0 passing (1ms)\n' }), { passed: 0, failed: 0 });
  });
});
