import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { literalPrefix } from './literal.ts';

const prefixes: readonly (readonly [string, string])[] = [
  ['/user/[0-9]+', '/user/'],
  ['^/user/.*$', '/user/'],
  ['/v1\\.0/x', '/v1.0/x'],
  ['/ab*', '/a'],
  ['/ab?c', '/a'],
  ['/ab+', '/a'],
  ['/ab{0,2}', '/a'],
  ['/a|/b', ''],
  ['/(a|b)/c', '/'],
  ['/x[|]y', '/x'],
  ['/x[]|]y|/z', ''],
  ['/x[^]|]y', '/x'],
  ['/x[[:alpha:]|]y', '/x'],
  ['/x[\\]|]y', '/x'],
  ['/x\\|y', '/x|y'],
  ['/x\\Q|\\E', ''],
  ['(?i)/abc', ''],
  ['/(?i)?', ''],
  ['/a\\Q\\E*', ''],
  ['/(?:a)', '/'],
  ['/(?P<n>a)', '/'],
  ['/\\d+', '/'],
  ['/caf\u00e9', '/caf'],
  ['.*', ''],
  ['', ''],
];

describe('the literal prefix of a pattern', () => {
  for (const [source, expected] of prefixes) {
    it(`of ${source || 'nothing'} is ${expected || 'empty'}`, () => {
      assert.equal(literalPrefix(source), expected);
    });
  }

  it('begins whatever the pattern matches', () => {
    const token = fc.constantFrom(
      '/',
      'a',
      'b',
      '.',
      '*',
      '?',
      '+',
      '|',
      '(',
      ')',
      '[',
      ']',
      '^',
      '\\',
      '{2}',
      '{0,1}',
      '$',
      '[:alpha:]',
      '\\Q',
      '\\E',
      '(?i)',
      '-',
    );
    const pattern = fc.array(token, { maxLength: 8 }).map((tokens) => tokens.join(''));
    const text = fc
      .array(fc.constantFrom('/', 'a', 'b', 'A', '|', '-', ']'), { maxLength: 5 })
      .map((parts) => parts.join(''));
    let matched = 0;
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 10, maxLength: 10 }), (source, texts) => {
        let expression: RE2JS;
        try {
          expression = RE2JS.compile(source);
        } catch {
          return;
        }
        const literal = literalPrefix(source);
        for (const one of texts.filter((candidate) => expression.testExact(candidate))) {
          matched += 1;
          assert.ok(one.startsWith(literal), `${source} matches ${one}, which does not begin with ${literal}`);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(matched > 500, `${matched} matches`);
  }).timeout(60_000);
});
