import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compile } from '../../src/proxy/match/compile.ts';
import { linearMatcher } from '../../src/proxy/match/linear.ts';
import { decode } from '../../src/table/decode.ts';
import { encodeTable } from '../../src/table/encode.ts';
import { listener, requestOf, tableOf, type Conditions, type Request } from './tables.ts';

/** Few values each, so that requests and rows meet often. */
const tableHosts = ['a.x.y', 'b.x.y', 'x.y', '*.x.y', '*.b.x.y', '*.y', '*'];
const requestHosts = [
  ...tableHosts.filter((host) => !host.startsWith('*')),
  'c.b.x.y',
  'q.y',
  'z',
  '[::1]',
  '',
  '.x.y',
  '*.x.y',
];
const elements = ['', 'a', 'b', 'ab', 'a%2Fb'];
const patterns = [
  '/a.*',
  '(?i)/A',
  '/a/[ab]+',
  '/a|/b',
  '/ab?',
  '/a/b*/?',
  '^/a$',
  '[',
  '/(a|b)/a',
  '.*',
  '/a\\z',
  '/a\\.b|/ab',
];
const doors = [
  { port: 80, protocol: 'HTTP' },
  { port: 443, protocol: 'HTTP' },
  { port: 443, protocol: 'HTTPS' },
  { port: 8080, protocol: 'HTTP' },
] as const;
const gateways = ['infra/one', 'infra/two'];

const path = fc
  .array(fc.constantFrom(...elements), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`);
const value = fc.constantFrom('1', '2', 'x');
const condition = fc.dictionary(fc.constantFrom('h', 'k'), fc.oneof(value, fc.constantFrom('~[0-9]', '~.*', '~(')), {
  maxKeys: 2,
});

const listeners = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...gateways), fc.constantFrom(...tableHosts), fc.constantFrom(80, 443)), {
    minLength: 1,
    maxLength: 6,
  })
  .map((found) =>
    found
      .map(([gateway, host, port], index) => listener(`${gateway}/l${index}`, host === '*' ? undefined : host, port))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );

const pathCondition: fc.Arbitrary<Conditions> = fc.oneof(
  path.map((exact) => ({ exact })),
  path.map((prefix) => ({ prefix })),
  fc.constantFrom(...patterns).map((regex) => ({ regex })),
);

const conditions = (ids: readonly string[]): fc.Arbitrary<Conditions> =>
  fc
    .tuple(
      pathCondition,
      fc.oneof(
        { weight: 2, arbitrary: fc.constant({}) },
        {
          weight: 1,
          arbitrary: fc.record(
            { method: fc.constantFrom('GET', 'POST'), headers: condition, query: condition },
            { requiredKeys: [] },
          ),
        },
      ),
      fc.subarray([...ids], { minLength: 1 }),
    )
    .map(([where, rest, via]) => ({ ...where, ...rest, via }));

const table = listeners.chain((found) => {
  const row = conditions(found.map(({ id }) => id));
  return fc
    .dictionary(fc.constantFrom(...tableHosts), fc.array(row, { minLength: 2, maxLength: 12 }), { minKeys: 2 })
    .map((hosts) => {
      const named = Object.entries(hosts).map(
        ([host, rows]) => [host, rows.map((one, rank) => [`${host} ${rank}`, one] as const)] as const,
      );
      return tableOf(Object.fromEntries(named), found);
    });
});

const request: fc.Arbitrary<Request> = fc.record({
  host: fc.constantFrom(...requestHosts),
  target: fc.tuple(path, fc.constantFrom('', '?h=1', '?h=x&h=2', '?k=1&h=1')).map((parts) => parts.join('')),
  method: fc.constantFrom('GET', 'POST'),
  door: fc.constantFrom(undefined, undefined, ...doors),
  headers: fc.dictionary(fc.constantFrom('h', 'k'), fc.array(value, { minLength: 1, maxLength: 2 }), { maxKeys: 2 }),
});

describe('the indexed matcher', () => {
  it('answers as the reference does, on random tables and requests', () => {
    fc.assert(
      fc.property(table, fc.array(request, { minLength: 20, maxLength: 20 }), (drawn, requests) => {
        const linear = linearMatcher(drawn);
        const indexed = compile(drawn);
        for (const one of requests) {
          const asked = requestOf(one);
          assert.deepEqual(indexed.match(asked), linear.match(asked));
          assert.deepEqual(indexed.owners(asked.host, asked.door), linear.owners(asked.host, asked.door));
        }
      }),
      { numRuns: 300 },
    );
  }).timeout(60_000);

  it('answers a good part of these requests, so that agreement means something', () => {
    const samples = fc.sample(fc.tuple(table, request), { numRuns: 500, seed: 1 });
    const answered = samples.filter(([drawn, one]) => compile(drawn).match(requestOf(one)) !== undefined);
    assert.ok(answered.length > 50, `${answered.length} of 500`);
  });
});

describe('the text of a random table', () => {
  it('decodes to the same table', () => {
    fc.assert(
      fc.property(table, (drawn) => {
        const text = encodeTable(drawn);
        const decoded = decode(text);
        assert.equal(encodeTable(decoded), text);
        const byHost = (hosts: typeof drawn.hosts) => Object.fromEntries(hosts.map(({ host, rows }) => [host, rows]));
        assert.deepEqual(byHost(decoded.hosts), byHost(drawn.hosts));
        assert.deepEqual({ ...decoded, hosts: [] }, { ...drawn, hosts: [] });
      }),
      { numRuns: 100 },
    );
  });
});
