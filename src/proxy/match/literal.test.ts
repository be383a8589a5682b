import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { literalPrefix, literalWithin } from './literal.ts';

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

const withins: readonly (readonly [string, string])[] = [
  ['/api/v[0-9]+/orders(/.*)?', '/orders'],
  ['/api/v[0-9]{1,9}/orders/[^/]+/x', '/orders/'],
  ['/a/(b|c)/d', '/d'],
  ['/a/(b(c)?)?/d[)]/efg', '/efg'],
  ['/a\\d/b', '/b'],
  ['/a\\x41bcdef', ''],
  ['/a\\pLbcdef', ''],
  ['/a.b+cd*e', 'c'],
  ['/a.{x}yz', ''],
  ['/a.b|/c.d', ''],
  ['/a.\\.json', '.json'],
  ['(?i)/a.bc', ''],
  ['/a', ''],
  ['.*', ''],
];

describe('the literal text within a pattern', () => {
  for (const [source, expected] of withins) {
    it(`of ${source} is ${expected || 'empty'}`, () => {
      assert.equal(literalWithin(source), expected);
    });
  }
});

describe('the literal prefix of a pattern', () => {
  for (const [source, expected] of prefixes) {
    it(`of ${source || 'nothing'} is ${expected || 'empty'}`, () => {
      assert.equal(literalPrefix(source), expected);
    });
  }

  it('begins whatever the pattern matches, and the text within follows it', () => {
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
      '\\x41',
      '{x}',
    );
    const pattern = fc.array(token, { maxLength: 10 }).map((tokens) => tokens.join(''));
    const text = fc
      .array(fc.constantFrom('/', 'a', 'b', 'A', '|', '-', ']', '{x}'), { maxLength: 5 })
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
          const within = literalWithin(source);
          assert.ok(one.includes(within, literal.length), `${source} matches ${one}, which lacks ${within}`);
        }
      }),
      { numRuns: 3000 },
    );
    assert.ok(matched > 500, `${matched} matches`);
  }).timeout(60_000);
});
