import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RoutingTable, TableRow } from '../../table/document.ts';
import { checkPatterns, compile } from './compile.ts';
import { explain } from './linear.ts';
import type { MatchRequest } from './request.ts';

const row = (rule: string, path: TableRow['path'], rest: Partial<TableRow> = {}): TableRow => ({
  path,
  listeners: ['infra/web/wild'],
  rule,
  ...rest,
});

const tableWith = (rows: readonly TableRow[]): RoutingTable => ({
  schema: '1.0',
  plane: 'infra/web',
  listeners: [
    { id: 'infra/web/foo', gateway: 'infra/web', protocol: 'HTTP', port: 80, hostname: 'foo.example.com' },
    { id: 'infra/web/wild', gateway: 'infra/web', protocol: 'HTTP', port: 80, hostname: '*.example.com' },
  ],
  hosts: [{ host: '*.example.com', rows }],
  rules: Object.fromEntries(rows.map(({ rule }) => [rule, { source: rule }])),
  backends: {},
});

const get = (path: string, host = 'app.example.com'): MatchRequest => ({
  host,
  path,
  query: '',
  method: 'GET',
  headerValues: () => [],
});

const good = row('good', { type: 'RegularExpression', value: '/[a-z]+' });
const bad = row('bad', { type: 'RegularExpression', value: '/(' });

/** Collects garbage now; Node gives the function to those only who ask for it. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

describe('a compiled table', () => {
  it('does not hold on to the one before it, whose patterns it took over', async () => {
    const headers = [{ name: 'X-A', type: 'RegularExpression', value: 'a+' }] as const;
    const rows = [good, row('headers', { type: 'PathPrefix', value: '/h' }, { headers })];
    let compiled = compile(tableWith(rows));
    const gone: WeakRef<object>[] = [];
    for (let reload = 0; reload < 3; reload += 1) {
      gone.push(new WeakRef(compiled), new WeakRef(compiled.patterns));
      compiled = compile(tableWith(rows), compiled);
    }
    await turn();
    collectGarbage();
    assert.deepEqual(
      gone.map((one) => one.deref() === undefined),
      gone.map(() => true),
    );
    assert.equal(compiled.match(get('/abc'))?.ruleId, 'good');
  });

  it('counts a pattern that does not compile once it was needed', () => {
    const compiled = compile(tableWith([bad, good]));
    assert.deepEqual(compiled.skipped, []);
    assert.equal(compiled.match(get('/a'))?.ruleId, 'good');
    assert.deepEqual(
      compiled.skipped.map(({ host, ruleId, pattern }) => ({ host, ruleId, pattern })),
      [{ host: '*.example.com', ruleId: 'bad', pattern: '/(' }],
    );
  });

  it('knows every such pattern after a check, those of headers too', () => {
    const header = row(
      'header',
      { type: 'Exact', value: '/' },
      { headers: [{ name: 'h', type: 'RegularExpression', value: '[' }] },
    );
    const compiled = compile(tableWith([bad, good, header]));
    assert.equal([...checkPatterns(compiled)].length, 3);
    assert.deepEqual(
      compiled.skipped.map(({ ruleId }) => ruleId),
      ['bad', 'header'],
    );
  });

  it('takes compiled patterns over from the table before, and forgets the rest', () => {
    const first = compile(tableWith([bad, good]));
    const second = compile(tableWith([good]), first);
    assert.equal(second.patterns.get('/[a-z]+'), first.patterns.get('/[a-z]+'));
    assert.deepEqual([...second.patterns.keys()], ['/[a-z]+']);
  });

  it('walks a hostile path only as far as the table goes', () => {
    const compiled = compile(tableWith([row('a', { type: 'PathPrefix', value: '/a/a' })]));
    assert.equal(compiled.match(get('/a'.repeat(16_000)))?.ruleId, 'a');
    assert.equal(compiled.match(get('/'.repeat(32_000))), undefined);
  });
});

describe('the explanation of a choice', () => {
  const rows = [
    row('exact', { type: 'Exact', value: '/x' }),
    bad,
    row('post', { type: 'PathPrefix', value: '/a' }, { method: 'POST' }),
    row('header', { type: 'PathPrefix', value: '/a' }, { headers: [{ name: 'x-v', type: 'Exact', value: '2' }] }),
    row(
      'query',
      { type: 'PathPrefix', value: '/a' },
      { queryParams: [{ name: 'q', type: 'RegularExpression', value: '[0-9]' }] },
    ),
    row('won', { type: 'PathPrefix', value: '/a' }),
    row('late', { type: 'PathPrefix', value: '/' }),
  ];

  it('says of every row why it lost', () => {
    const {
      winner,
      owners,
      rows: explained,
    } = explain(tableWith(rows), {
      ...get('/a/b'),
      query: 'q=x',
      headerValues: () => ['1'],
    });
    assert.equal(winner?.ruleId, 'won');
    assert.deepEqual(owners, ['infra/web/wild']);
    const reasons = explained.map(({ lost }) => lost ?? 'won');
    const expected = [
      /is not \/x$/,
      /does not compile/,
      /method GET is not POST/,
      /header x-v is "1", not "2"/,
      /query parameter q is "x"/,
      /^won$/,
      /higher-ranked/,
    ];
    for (const [index, reason] of reasons.entries()) assert.match(reason, expected[index] ?? /none/);
    assert.equal(reasons.length, expected.length);
  });

  it('names the listener that keeps the host to itself', () => {
    const { winner, rows: explained } = explain(tableWith(rows), get('/zzz', 'foo.example.com'));
    assert.equal(winner, undefined);
    assert.match(
      explained.at(-1)?.lost ?? '',
      /belongs to infra\/web\/foo, the route is attached through infra\/web\/wild/,
    );
  });
});
