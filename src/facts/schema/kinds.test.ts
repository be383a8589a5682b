import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { channelSchemas } from './channels.ts';
import { celName, celValue, evaluate } from './cel.ts';
import { kinds, lookUpKind } from './kinds.ts';
import { nearestName } from './nearest.ts';
import { compilePattern } from './patterns.ts';
import type { Schema } from './schema.ts';

function* schemasIn(schema: Schema): Generator<Schema> {
  yield schema;
  for (const below of Object.values(schema.properties ?? {})) yield* schemasIn(below);
  for (const below of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (typeof below === 'object') yield* schemasIn(below);
  }
}

const all = kinds.flatMap((kind) => [...schemasIn(kind.schema)]);

/** What the checks know; a keyword beyond these would be passed over in silence. */
const keywords = new Set(
  (
    'type nullable properties required additionalProperties items default enum pattern format minLength maxLength minimum maximum ' +
    'minItems maxItems minProperties maxProperties allOf anyOf oneOf not x-kubernetes-int-or-string x-kubernetes-preserve-unknown-fields ' +
    'x-kubernetes-list-type x-kubernetes-list-map-keys x-kubernetes-map-type x-kubernetes-validations x-channel x-standard'
  ).split(' '),
);

describe('kinds', () => {
  it('lists every generated schema', () => {
    const files = readdirSync(new URL('kinds', import.meta.url)).filter((name) => /_.*\.json$/.test(name));
    assert.equal(kinds.length, files.length);
  });

  it('has no keyword that no check knows', () => {
    const unknown = all.flatMap((schema) => Object.keys(schema)).filter((key) => !keywords.has(key));
    assert.deepEqual(unknown, []);
  });

  it('has no pattern that cannot be compiled', () => {
    for (const { pattern } of all) if (pattern !== undefined) compilePattern(pattern).test('a');
  });

  it('has no rule that is beyond the evaluator', () => {
    for (const { rule } of all.flatMap((schema) => schema['x-kubernetes-validations'] ?? [])) {
      if (/\boldSelf\b/.test(rule)) continue;
      const verdict = evaluate(rule, new Map());
      if ('failure' in verdict) assert.match(verdict.failure, /overload/, rule);
    }
  });

  it('finds all served versions of a kind as one', () => {
    const group = 'gateway.networking.k8s.io';
    assert.deepEqual(lookUpKind(`${group}/v1`, 'Gateway'), lookUpKind(`${group}/v1beta1`, 'Gateway'));
    assert.equal(lookUpKind(`${group}/v1alpha2`, 'Gateway').is, 'wrong');
    assert.equal(lookUpKind('v1', 'Pod').is, 'ignored');
    assert.equal(lookUpKind('v1', 'service').is, 'wrong');
  });

  it('takes the channels apart', () => {
    const route = kinds.find((each) => each.kind === 'HTTPRoute');
    assert.ok(route);
    const { experimental, standard, standardOnly, differ } = channelSchemas(route);
    const rule = (schema: Schema): Schema | undefined => schema.properties?.['spec']?.properties?.['rules']?.items;
    assert.ok(differ && rule(experimental)?.properties?.['retry'] && !rule(standard)?.properties?.['retry']);
    const count = (schema: Schema): number =>
      [...schemasIn(schema)].reduce((sum, each) => sum + (each['x-kubernetes-validations']?.length ?? 0), 0);
    assert.ok(count(standardOnly) > 0 && count(standardOnly) < 5);
    assert.doesNotMatch(JSON.stringify([experimental, standard]), /x-channel|x-standard/);
  });
});

describe('CEL', () => {
  it('spells names as the API server does', () => {
    assert.deepEqual(
      ['namespace', 'a-b', 'a.b/c', 'a__b', 'plain'].map((name) => celName(name)),
      ['__namespace__', 'a__dash__b', 'a__dot__b__slash__c', 'a__underscores__b', 'plain'],
    );
  });

  it('has integers where the schema has them', () => {
    const schema: Schema = {
      type: 'object',
      properties: { i: { type: 'integer' }, n: { type: 'number' }, m: { additionalProperties: { type: 'integer' } } },
    };
    const value = celValue({ i: 1, n: 1, m: { 'a-b': 2 } }, schema);
    assert.deepEqual(evaluate("self.i == 1 && self.n == 1.0 && self.m['a-b'] == 2 && type(self.n) == double", value), {
      holds: true,
    });
  });

  it('tells a rule that is beyond it from one that fails over a value', () => {
    assert.deepEqual(evaluate('self.a > 1', new Map()), { holds: false });
    assert.match(JSON.stringify(evaluate("isURL('a')", new Map())), /unbound/);
    assert.match(JSON.stringify(evaluate('self.?a', new Map())), /failure/);
    assert.match(JSON.stringify(evaluate('1', new Map())), /no boolean/);
  });

  it("matches regular expressions with RE2's meaning", () => {
    assert.deepEqual(evaluate("'ABC'.matches('(?i)b')", new Map()), { holds: true });
    assert.deepEqual(evaluate("isIP('::1') && !isIP('a')", new Map()), { holds: true });
  });
});

describe('patterns', () => {
  it('need no exponential time', () => {
    assert.equal(compilePattern('^[!-~]+([\\t ]?[!-~]+)*$').test(`${'a'.repeat(4000)}\u0000`), false);
  });
});

describe('nearestName', () => {
  const names = ['matches', 'backendRefs', 'hostnames', 'name', 'port'];
  for (const [typed, meant] of Object.entries({
    match: 'matches',
    BackendRefs: 'backendRefs',
    hostname: 'hostnames',
    nmae: 'name',
    prot: 'port',
    zzz: undefined,
    ab: undefined,
  })) {
    it(`${typed} was meant to be ${meant ?? 'something else'}`, () => assert.equal(nearestName(typed, names), meant));
  }
});
