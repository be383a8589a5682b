import assert from 'node:assert/strict';
import type { RequestRedirect, TableFilter } from '../../src/table/document.ts';
import {
  answering,
  cleanUp,
  exchange,
  fieldValues,
  get,
  host,
  ok,
  proxyFor,
  rawClient,
  requestsIn,
  tableOf,
} from './harness.ts';

const redirect = (rest: Partial<RequestRedirect>): RequestRedirect => ({
  type: 'RequestRedirect',
  statusCode: 302,
  atTunnel: { scheme: 'http', port: 80 },
  ...rest,
});

/** Filter, request host, expected Location for `/a/b?c=%2F` matched by prefix `/a`. */
const redirects: readonly (readonly [string, Partial<RequestRedirect>, string, string])[] = [
  ['a scheme leaves the port out', { scheme: 'https', statusCode: 301 }, `${host}:8080`, `https://${host}/a/b?c=%2F`],
  ['a port is written', { scheme: 'https', port: 8443 }, host, `https://${host}:8443/a/b?c=%2F`],
  ['443 for https is left out', { scheme: 'https', port: 443 }, host, `https://${host}/a/b?c=%2F`],
  ['80 for https is written', { scheme: 'https', port: 80 }, host, `https://${host}:80/a/b?c=%2F`],
  [
    'the port of the host is not copied',
    { hostname: 'b.example.com' },
    `${host}:8080`,
    'http://b.example.com/a/b?c=%2F',
  ],
  [
    'neither scheme nor port: what the tunnel door has',
    { atTunnel: { scheme: 'https', port: 8443 } },
    host,
    `https://${host}:8443/a/b?c=%2F`,
  ],
  ['no port at the tunnel door', { atTunnel: { scheme: 'https' } }, host, `https://${host}/a/b?c=%2F`],
  ['a whole path', { path: { type: 'ReplaceFullPath', replaceFullPath: '/x' } }, host, `http://${host}/x?c=%2F`],
  ['a prefix', { path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/' } }, host, `http://${host}/b?c=%2F`],
];

describe('wire: RequestRedirect', () => {
  afterEach(cleanUp);

  for (const [name, filter, asked, location] of redirects) {
    it(`B-31: ${name}`, async () => {
      const proxy = await proxyFor(tableOf([{ prefix: '/a', filters: [redirect(filter)] }], {}));
      const response = await exchange(proxy.port, `GET /a/b?c=%2F HTTP/1.1\r\nHost: ${asked}\r\n\r\n`);
      assert.equal(response.status, filter.statusCode ?? 302);
      assert.deepEqual(fieldValues(response.fields, 'location'), [location]);
    });
  }

  it('answers HEAD and POST with a body, and the connection stays usable', async () => {
    const proxy = await proxyFor(tableOf([{ filters: [redirect({ scheme: 'https' })] }], {}));
    const client = rawClient(proxy.port);
    client.send(`POST /x HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 200000\r\n\r\n${'a'.repeat(200_000)}`);
    client.send(`HEAD /y HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    client.send(get('/z'));
    const bytes = await client.until((soFar) => soFar.includes(`https://${host}/z`) && soFar.endsWith('\r\n\r\n'));
    assert.equal(bytes.split('HTTP/1.1 302').length, 4);
  });

  it('a redirect of a backend answers its share', async () => {
    const proxy = await proxyFor(
      tableOf([{ backends: [{ weight: 1, backend: 'b', filters: [redirect({ hostname: 'x.test' })] }] }], {
        b: { host: '127.0.0.1', port: 1, protocol: 'http1' },
      }),
    );
    assert.equal((await exchange(proxy.port, get('/'))).status, 302);
  });
});

describe('wire: URLRewrite and the order of filters', () => {
  afterEach(cleanUp);

  async function seen(
    filters: readonly TableFilter[],
    own: readonly TableFilter[] = [],
  ): Promise<{ line: string; fields: readonly string[] }> {
    const backend = await answering(ok);
    const proxy = await proxyFor(
      tableOf([{ prefix: '/foo', filters, backends: [{ weight: 1, backend: 'b', filters: own }] }], {
        b: { host: '127.0.0.1', port: backend.port, protocol: 'http1' },
      }),
    );
    assert.equal((await exchange(proxy.port, get('/foo/%2Fbar?a=%2F&b', 'X-Seen: client'))).status, 200);
    const [first] = requestsIn(backend.received[0] ?? '');
    assert.ok(first);
    return first;
  }

  it('rewrites the host; the one asked for is in X-Forwarded-Host', async () => {
    const { fields } = await seen([{ type: 'URLRewrite', hostname: 'inner.example.com' }]);
    assert.deepEqual(fieldValues(fields, 'host'), ['inner.example.com']);
    assert.deepEqual(fieldValues(fields, 'x-forwarded-host'), [host]);
  });

  it('rewrites a prefix, escapes and query untouched', async () => {
    const { line } = await seen([
      { type: 'URLRewrite', path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/new' } },
    ]);
    assert.equal(line, 'GET /new/%2Fbar?a=%2F&b HTTP/1.1');
  });

  it('rewrites a whole path', async () => {
    const { line } = await seen([{ type: 'URLRewrite', path: { type: 'ReplaceFullPath', replaceFullPath: '/only' } }]);
    assert.equal(line, 'GET /only?a=%2F&b HTTP/1.1');
  });

  it('a rewritten host wins over one set by a header modifier, whichever comes first', async () => {
    const set: TableFilter = { type: 'RequestHeaderModifier', set: [{ name: 'Host', value: 'set.example.com' }] };
    const rewrite: TableFilter = { type: 'URLRewrite', hostname: 'rewritten.example.com' };
    for (const filters of [
      [set, rewrite],
      [rewrite, set],
    ]) {
      assert.deepEqual(fieldValues((await seen(filters)).fields, 'host'), ['rewritten.example.com']);
    }
  });

  it('filters of the rule run before those of the backend', async () => {
    const rule: TableFilter = { type: 'RequestHeaderModifier', set: [{ name: 'X-Seen', value: 'rule' }] };
    const own: TableFilter = { type: 'RequestHeaderModifier', add: [{ name: 'X-Seen', value: 'backend' }] };
    assert.deepEqual(fieldValues((await seen([rule], [own])).fields, 'x-seen'), ['rule', 'backend']);
  });
});
