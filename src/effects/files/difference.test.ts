import assert from 'node:assert/strict';
import { lineDifference } from './difference.ts';

describe('the difference of two texts', () => {
  it('shows changed lines only, each run under its number in the new text', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\n';
    const after = 'one\n2\nthree\nfour\nfour and a half\nfive\n';
    assert.equal(
      lineDifference(before, after),
      '  @@ line 2 @@\n  - two\n  + 2\n  @@ line 5 @@\n  + four and a half\n',
    );
  });

  it('is cut where it is long', () => {
    const lines = (word: string): string => Array.from({ length: 3000 }, (_, at) => `${word} ${at}\n`).join('');
    const shown = lineDifference(lines('before'), lines('after')).split('\n');
    assert.equal(shown.length, 62);
    assert.match(shown.at(-2) ?? '', /^ {2}… \d+ more lines$/);
  });

  it('is nothing for equal texts', () => assert.equal(lineDifference('a\nb', 'a\nb'), ''));
});
