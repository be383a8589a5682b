import assert from 'node:assert/strict';
import { patternOf } from './regex.ts';

describe('a pattern', () => {
  it('matches the whole value, by whichever alternative', () => {
    const pattern = patternOf('a|ab');
    assert.deepEqual(
      ['a', 'ab', 'abc', 'xa', ''].map((value) => pattern.test(value)),
      [true, true, false, false, false],
    );
  });

  it('keeps line breaks of a value out of its anchors', () => {
    assert.equal(patternOf('^a$').test('a\n'), false);
    assert.equal(patternOf('a.*').test('a\nb'), false);
  });

  it('is not compiled before it is needed, and then tells why it is none', () => {
    const pattern = patternOf('(');
    assert.equal(pattern.cause, undefined);
    assert.equal(pattern.test('('), false);
    assert.match(pattern.cause ?? '', /missing closing/);
  });

  it('takes linear time', () => {
    assert.equal(patternOf('(a+)+$').test(`${'a'.repeat(20_000)}!`), false);
  });
});
