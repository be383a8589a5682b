import assert from 'node:assert/strict';
import type { RoutingTable, TableRule } from './document.ts';
import {
  assembleTable,
  encodeBackend,
  encodeHost,
  encodeListener,
  encodeRow,
  encodeRule,
  encodeTable,
  joinHost,
} from './encode.ts';
import { encodeEndpoints, decodeEndpoints } from './endpoints.ts';
import { compareHosts } from './order.ts';

const rule: TableRule = { source: 'HTTPRoute shop/cart rule 0', backends: [{ weight: 1, backend: 'shop/cart:80' }] };
const table: RoutingTable = {
  schema: '1.0',
  plane: 'infra/web',
  listeners: [{ id: 'infra/web/https', gateway: 'infra/web', protocol: 'HTTPS', port: 443, hostname: '*.example.com' }],
  hosts: [
    { host: '*', rows: [] },
    {
      host: 'app.example.com',
      rows: [
        { path: { type: 'Exact', value: '/b' }, method: 'GET', listeners: ['infra/web/https'], rule: 'shop/cart/0' },
        { path: { type: 'PathPrefix', value: '/' }, listeners: ['infra/web/https'], rule: 'shop/cart/0' },
      ],
    },
  ],
  rules: { 'shop/other/0': { source: 'HTTPRoute shop/other rule 0' }, 'shop/cart/0': rule },
  backends: { 'shop/cart:80': { host: 'cart.shop.svc.cluster.local.', port: 80, protocol: 'http1' } },
};

const text = `{
"schema":"1.0",
"plane":"infra/web",
"listeners":[
  {"id":"infra/web/https","gateway":"infra/web","protocol":"HTTPS","hostname":"*.example.com","port":443}
],
"hosts":[
  {"host":"app.example.com","rows":[
    {"path":{"type":"Exact","value":"/b"},"method":"GET","listeners":["infra/web/https"],"rule":"shop/cart/0"},
    {"path":{"type":"PathPrefix","value":"/"},"listeners":["infra/web/https"],"rule":"shop/cart/0"}
  ]},
  {"host":"*","rows":[
  ]}
],
"rules":{
  "shop/cart/0":{"source":"HTTPRoute shop/cart rule 0","backends":[{"weight":1,"backend":"shop/cart:80"}]},
  "shop/other/0":{"source":"HTTPRoute shop/other rule 0"}
},
"backends":{
  "shop/cart:80":{"protocol":"http1","host":"cart.shop.svc.cluster.local.","port":80}
}
}
`;

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, field]) => [key, reversed(field)]),
  );
}

const linesChanged = (before: string, after: string): number => {
  const old = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !old.has(line)).length;
};

describe('the text of a table', () => {
  it('has a line for each piece, in order', () => {
    assert.equal(encodeTable(table), text);
  });

  it('is the same whatever the order of keys, hosts, rules and backends was', () => {
    const turned = reversed(table) as RoutingTable;
    assert.equal(encodeTable({ ...turned, hosts: turned.hosts.toReversed() }), text);
  });

  it('is assembled from pieces as it is encoded whole', () => {
    const [anyHost, app] = table.hosts;
    const pieces = {
      listeners: table.listeners.map(encodeListener),
      hosts: [
        joinHost('app.example.com', (app?.rows ?? []).map(encodeRow)),
        encodeHost(anyHost ?? { host: '*', rows: [] }),
      ],
      rules: ['shop/cart/0', 'shop/other/0'].map((id) => encodeRule(id, table.rules[id] ?? rule)),
      backends: Object.entries(table.backends).map(([id, backend]) => encodeBackend(id, backend)),
    };
    assert.equal(assembleTable({ schema: '1.0', plane: 'infra/web' }, pieces), text);
  });

  it('changes in the one line of a changed rule', () => {
    const changed = { ...table, rules: { ...table.rules, 'shop/cart/0': { ...rule, timeouts: { request: 5000 } } } };
    assert.equal(linesChanged(text, encodeTable(changed)), 1);
  });

  it('is valid JSON without any piece', () => {
    const empty = { schema: '1.0', plane: 'a/b', listeners: [], hosts: [], rules: {}, backends: {} };
    assert.deepEqual(JSON.parse(encodeTable(empty)), empty);
  });
});

describe('the order of hosts', () => {
  it('is exact names, wildcards with most labels first, the default last', () => {
    const hosts = ['*', '*.b.c', 'z.c', '*.a.b.c', '*.a.c', 'a.c', '*.c'];
    assert.deepEqual(hosts.toSorted(compareHosts), ['a.c', 'z.c', '*.a.b.c', '*.a.c', '*.b.c', '*.c', '*']);
  });
});

describe('the endpoints document', () => {
  it('has a line for each backend and is read back', () => {
    const endpoints = { schema: '1.0', backends: { b: ['10.0.0.2:80', '10.0.0.1:80'], a: [] } };
    const encoded = encodeEndpoints(endpoints);
    assert.equal(encoded, '{\n"schema":"1.0",\n"backends":{\n  "a":[],\n  "b":["10.0.0.2:80","10.0.0.1:80"]\n}\n}\n');
    assert.deepEqual(decodeEndpoints(encoded), endpoints);
    assert.equal(encodeEndpoints({ schema: '1.0', backends: {} }), '{\n"schema":"1.0",\n"backends":{\n}\n}\n');
  });

  it('is refused with its place', () => {
    assert.throws(
      () => decodeEndpoints('{"schema":"1.0","backends":{"a":[1]}}'),
      /endpoints\.backends\.a\[0\] must be string/,
    );
    assert.throws(() => decodeEndpoints('{"schema":"2.0","backends":{}}'), /schema 2\.0/);
    assert.throws(() => decodeEndpoints('['), /not JSON/);
  });
});
