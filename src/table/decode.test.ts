import assert from 'node:assert/strict';
import { decode, decodeInSteps } from './decode.ts';
import type { RoutingTable, TableRow, TableRule } from './document.ts';
import { encodeTable } from './encode.ts';

const row: TableRow = { path: { type: 'PathPrefix', value: '/' }, listeners: ['n/g/l'], rule: 'r' };
const table: RoutingTable = {
  schema: '1.0',
  plane: 'n/g',
  listeners: [{ id: 'n/g/l', gateway: 'n/g', protocol: 'HTTP', port: 80 }],
  hosts: [
    { host: 'a.example.com', rows: [] },
    { host: 'b.example.com', rows: [row, { ...row, path: { type: 'RegularExpression', value: '[' } }] },
  ],
  rules: {
    r: {
      source: 'HTTPRoute n/r rule 0',
      filters: [
        {
          type: 'RequestRedirect',
          path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/x' },
          statusCode: 302,
          atTunnel: { scheme: 'https' },
        },
      ],
      backends: [{ weight: 1, backend: 'b' }],
    },
  },
  backends: { b: { host: 'b.n.svc.cluster.local.', port: 80, protocol: 'h2c', websocket: true } },
};
const text = encodeTable(table);

/** A document as JSON has it: any field may be there. */
type Loose = { [key: string]: Loose } & Loose[];

/** The document with one thing changed, in the layout of lines and in another. */
function changed(change: (document: Loose) => void): string[] {
  const document = JSON.parse(text);
  change(document);
  return [encodeTable(document), JSON.stringify(document), JSON.stringify(document, null, 2)];
}

function refused(documents: readonly string[], message: RegExp): void {
  for (const document of documents) assert.throws(() => decode(document), { name: 'TableError', message });
}

describe('reading a table', () => {
  it('takes any layout of the same document', () => {
    for (const layout of [
      text,
      ...changed(() => undefined),
      text.trimEnd(),
      `\n${text}`,
      text.replaceAll('\n', '\r\n'),
    ]) {
      assert.deepEqual(decode(layout), table);
    }
  });

  it('goes in many steps through a large table, whether its rows are on many hosts or on one', () => {
    const rows = Array.from(
      { length: 3000 },
      (_, index) => ({ ...row, path: { type: 'Exact', value: `/${index}` } }) as const,
    );
    const hosts = rows.map((one, index) => ({ host: `${String(index).padStart(4, '0')}.example.com`, rows: [one] }));
    for (const large of [
      { ...table, hosts },
      { ...table, hosts: [{ host: '*', rows }] },
    ]) {
      const steps = decodeInSteps(encodeTable(large));
      let pauses = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) pauses += 1;
      assert.deepEqual(step.value, large);
      assert.ok(pauses >= 4, `${pauses} pauses`);
    }
  });

  it('keeps an id that is the name of something else', () => {
    const rules = Object.fromEntries([['__proto__', table.rules['r']]]) as Record<string, TableRule>;
    const odd = { ...table, hosts: [{ host: '*', rows: [{ ...row, rule: '__proto__' }] }], rules };
    const decoded = decode(encodeTable(odd));
    assert.deepEqual(Object.keys(decoded.rules), ['__proto__']);
  });

  it('does not judge patterns', () => {
    assert.equal(decode(text).hosts[1]?.rows[1]?.path.value, '[');
  });
});

describe('a table that is not valid', () => {
  it('is refused with the place of the fault', () => {
    refused(
      changed((d) => Reflect.set(d['hosts']![1]!['rows']![1]!['path']!, 'value', 7)),
      /^hosts\[1\]\.rows\[1\]\.path\.value must be string\.$/,
    );
    refused(
      changed((d) => Reflect.set(d['hosts']![1]!['rows']![0]!['path']!, 'type', 'Glob')),
      /^hosts\[1\]\.rows\[0\]\.path\.type .*: Exact, PathPrefix, RegularExpression\.$/,
    );
    refused(
      changed((d) => Reflect.set(d['hosts']![1]!, 'host', 'b.Example.com')),
      /^hosts\[1\]\.host must match pattern/,
    );
    refused(
      changed((d) => Reflect.set(d['listeners']![0]!, 'port', 0)),
      /^listeners\[0\]\.port must be >= 1\.$/,
    );
    refused(
      changed((d) => Reflect.set(d['rules']!['r']!['filters']![0]!, 'statusCode', 200)),
      /^rules\["r"\]\.filters\[0\]\.statusCode must be >= 300\.$/,
    );
    refused(
      changed((d) => Reflect.set(d['rules']!['r']!['filters']![0]!['path']!, 'type', 'Cut')),
      /^rules\["r"\]\.filters\[0\]\.path /,
    );
    refused(
      changed((d) => Reflect.deleteProperty(d['backends']!['b']!, 'host')),
      /^backends\["b"\] must have required property 'host'\.$/,
    );
    refused(
      changed((d) => Reflect.deleteProperty(d, 'plane')),
      /required property 'plane'|plane/,
    );
  });

  it('is refused if a piece names another that is not there, or twice there', () => {
    refused(
      changed((d) => Reflect.set(d['hosts']![1]!['rows']![1]!, 'rule', 'x')),
      /^hosts\[1\]\.rows\[1\]\.rule names x, /,
    );
    refused(
      changed((d) => Reflect.set(d['hosts']![1]!['rows']![0]!, 'listeners', ['n/g/l', 'x'])),
      /^hosts\[1\]\.rows\[0\]\.listeners\[1\] names x, /,
    );
    refused(
      changed((d) => Reflect.set(d['rules']!['r']!['backends']![0]!, 'backend', 'x')),
      /^rules\["r"\]\.backends\[0\]\.backend names x, /,
    );
    refused(
      changed((d) => Reflect.deleteProperty(d['rules']!['r']!['backends']![0]!, 'backend')),
      /^rules\["r"\]\.backends\[0\] has neither/,
    );
    refused(
      changed((d) => Reflect.set(d['hosts']![0]!, 'host', 'b.example.com')),
      /^hosts\[1\] is a second entry for b\.example\.com\.$/,
    );
  });

  it('is refused if it is no JSON, in the layout of lines too', () => {
    refused(['', '[', 'null', text.slice(0, -3), `${text}}`], /not JSON|must be|list/);
    refused(
      [text.replace('},\n    {', '}\n    {'), text.replace('  ]},\n', '  ]}\n'), text.replace('  ]}\n]', '  ]},\n]')],
      /not JSON/,
    );
    refused([text.replace('"listeners":[', '"listeners":{')], /not JSON/);
    refused([JSON.stringify({ ...table, hosts: {} })], /^hosts must be a list\.$/);
    refused([JSON.stringify({ ...table, rules: [] })], /^rules must be an object\.$/);
  });
});

describe('a table of another version', () => {
  it('is read if only the minor version is newer, without what is not known', () => {
    const newer = changed((d) => {
      Reflect.set(d, 'schema', '1.9');
      Reflect.set(d['rules']!['r']!, 'mirrorOf', { x: [1] });
      Reflect.set(d['hosts']![1]!['rows']![0]!, 'note', 'x');
    });
    for (const document of newer) {
      const decoded = decode(document);
      assert.equal(decoded.schema, '1.9');
      assert.deepEqual(decoded.rules['r']?.backends, table.rules['r']?.backends);
    }
  });

  it('fails closed for a rule with a filter that is not known', () => {
    for (const document of changed((d) =>
      Reflect.set(d['rules']!['r']!, 'filters', [{ type: 'Authenticate', by: 'x' }]),
    )) {
      const expected = {
        source: 'HTTPRoute n/r rule 0',
        answer: { status: 500, why: 'this build does not know the filter Authenticate' },
      };
      assert.deepEqual(decode(document).rules['r'], expected);
    }
  });

  it('fails closed for the share of a backend with such a filter', () => {
    for (const document of changed((d) =>
      Reflect.set(d['rules']!['r']!['backends']![0]!, 'filters', [{ type: 'Authenticate' }]),
    )) {
      const share = { weight: 1, answer: { status: 500, why: 'this build does not know the filter Authenticate' } };
      assert.deepEqual(decode(document).rules['r']?.backends, [share]);
    }
  });

  it('is refused if the major version is another, however the rest looks', () => {
    refused(
      changed((d) => Reflect.set(d, 'schema', '2.0')),
      /schema 2\.0 and this build reads 1\.x/,
    );
    refused(['{"schema":"2.0","plane":"n/g"}'], /schema 2\.0/);
    refused(['{"schema":"two","plane":"n/g"}'], /^schema must match pattern/);
  });
});
