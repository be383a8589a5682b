import assert from 'node:assert/strict';
import { answering, cleanUp, exchange, fieldValues, get, host, ok, proxyFor, requestsIn, tableTo } from './harness.ts';

async function seenBy(...lines: readonly string[]): Promise<readonly string[]> {
  const backend = await answering(ok);
  const proxy = await proxyFor(tableTo(backend.port));
  assert.equal((await exchange(proxy.port, get('/', ...lines))).status, 200);
  return requestsIn(backend.received[0] ?? '')[0]?.fields ?? [];
}

async function answered(...lines: readonly string[]): Promise<readonly string[]> {
  const backend = await answering(['HTTP/1.1 200 OK', ...lines, 'Content-Length: 2', '', 'ok'].join('\r\n'));
  const proxy = await proxyFor(tableTo(backend.port));
  const response = await exchange(proxy.port, get('/'));
  assert.equal(response.status, 200);
  return response.fields;
}

describe('wire: header fields', () => {
  afterEach(cleanUp);

  it('strips hop-by-hop fields of a request and those that Connection names', async () => {
    const fields = await seenBy(
      'Connection: keep-alive, X-Private, close',
      'X-Private: 1',
      'X-Kept: 1',
      'Keep-Alive: timeout=5',
      'Proxy-Connection: keep-alive',
      'Proxy-Authorization: Basic abc',
      'Proxy-Authenticate: x',
      'TE: gzip',
      'Trailer: X-T',
      'Upgrade: h2c',
      'HTTP2-Settings: AAA',
    );
    const names = fields.map((line) => line.split(':')[0]?.toLowerCase());
    for (const gone of [
      'x-private',
      'keep-alive',
      'proxy-connection',
      'proxy-authorization',
      'proxy-authenticate',
      'te',
      'trailer',
      'upgrade',
    ]) {
      assert.ok(!names.includes(gone), gone);
    }
    assert.deepEqual(fieldValues(fields, 'connection'), ['keep-alive']);
    assert.deepEqual(fieldValues(fields, 'x-kept'), ['1']);
  });

  it('keeps TE: trailers, which gRPC needs', async () => {
    assert.deepEqual(fieldValues(await seenBy('TE: gzip, trailers'), 'te'), ['trailers']);
  });

  it('does not let Connection take away the host, the framing or what the edge says', async () => {
    const fields = await seenBy(
      'Connection: host, content-length, x-forwarded-for, x-forwarded-proto, forwarded',
      'X-Forwarded-Proto: https',
      'Forwarded: for=a',
    );
    assert.deepEqual(fieldValues(fields, 'host'), [host]);
    assert.deepEqual(fieldValues(fields, 'x-forwarded-proto'), ['https']);
    assert.deepEqual(fieldValues(fields, 'forwarded'), ['for=a']);
  });

  it('keeps order, spelling and duplicates of request fields', async () => {
    const fields = await seenBy(
      'X-One: 1',
      'user-agent: a',
      'User-Agent: b',
      'x-one: 2',
      'Cookie: a=1',
      'cookie: b=2',
      'X-Empty:',
    );
    assert.deepEqual(
      fields.filter((line) => /^(?:x-one|user-agent|cookie|x-empty)/i.test(line)),
      ['X-One: 1', 'user-agent: a', 'User-Agent: b', 'x-one: 2', 'Cookie: a=1', 'cookie: b=2', 'X-Empty: '],
    );
  });

  it('passes bytes above 0x7f unchanged', async () => {
    assert.deepEqual(fieldValues(await seenBy('X-Latin: caf\u00e9\u00ff'), 'x-latin'), ['caf\u00e9\u00ff']);
  });

  it('B-51: appends the peer to X-Forwarded-For, keeps Proto as it is, notes the host asked for', async () => {
    const fields = await seenBy(
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Proto: https',
      'CF-Connecting-IP: 203.0.113.7',
      'CF-Ray: 1',
    );
    assert.deepEqual(fieldValues(fields, 'x-forwarded-for'), ['203.0.113.7, 127.0.0.1']);
    assert.deepEqual(fieldValues(fields, 'x-forwarded-proto'), ['https']);
    assert.deepEqual(fieldValues(fields, 'x-forwarded-host'), [host]);
    assert.deepEqual(fieldValues(fields, 'cf-connecting-ip'), ['203.0.113.7']);
    assert.deepEqual(fieldValues(fields, 'cf-ray'), ['1']);
  });

  it('joins several X-Forwarded-For lines and leaves an X-Forwarded-Host alone', async () => {
    const fields = await seenBy('X-Forwarded-For: a', 'x-forwarded-for: b', 'X-Forwarded-Host: other');
    assert.deepEqual(fieldValues(fields, 'x-forwarded-for'), ['a, b, 127.0.0.1']);
    assert.deepEqual(fieldValues(fields, 'x-forwarded-host'), ['other']);
  });

  it('invents no User-Agent and no Accept', async () => {
    const names = new Set((await seenBy()).map((line) => line.split(':')[0]?.toLowerCase()));
    assert.deepEqual(names, new Set(['host', 'connection', 'x-forwarded-for', 'x-forwarded-host']));
  });

  it('strips hop-by-hop fields of a response and those that Connection names', async () => {
    const fields = await answered(
      'Connection: X-Private',
      'X-Private: 1',
      'Keep-Alive: timeout=5',
      'Proxy-Authenticate: Basic',
      'Trailer: X-T',
      'X-Kept: 1',
    );
    const names = fields.map((line) => line.split(':')[0]?.toLowerCase());
    for (const gone of ['x-private', 'keep-alive', 'proxy-authenticate', 'trailer'])
      assert.ok(!names.includes(gone), gone);
    assert.deepEqual(fieldValues(fields, 'x-kept'), ['1']);
  });

  it('a backend that closes its connection does not close the client\u2019s', async () => {
    assert.deepEqual(fieldValues(await answered('Connection: close'), 'connection'), ['keep-alive']);
  });

  it('B-52: keeps every Set-Cookie, Via, Link, WWW-Authenticate and Vary line, in order and spelling', async () => {
    const sent = [
      'Set-Cookie: a=1; Path=/',
      'set-cookie: b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT',
      'Via: 1.1 a',
      'Via: 1.1 b',
      'Link: <a>',
      'Link: <b>',
      'WWW-Authenticate: Basic',
      'WWW-Authenticate: Digest x',
      'Vary: A',
      'Vary: B',
    ];
    const fields = await answered(...sent);
    assert.deepEqual(
      fields.filter((line) => /^(?:set-cookie|via|link|www-authenticate|vary)/i.test(line)),
      sent,
    );
  });

  it('B-52: a filter adds a third cookie on a line of its own', async () => {
    const backend = await answering(
      'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n',
    );
    const proxy = await proxyFor(
      tableTo(backend.port, {
        filters: [{ type: 'ResponseHeaderModifier', add: [{ name: 'Set-Cookie', value: 'c=3' }] }],
      }),
    );
    const { fields } = await exchange(proxy.port, get('/'));
    assert.deepEqual(fieldValues(fields, 'set-cookie'), ['a=1', 'b=2', 'c=3']);
  });

  it('B-50: sets Host once, adds and removes by name without case', async () => {
    const backend = await answering(ok);
    const filter = {
      type: 'RequestHeaderModifier',
      set: [{ name: 'host', value: 'legacy.example.com' }],
      add: [
        { name: 'x-a', value: '1' },
        { name: 'X-A', value: '2' },
      ],
      remove: ['X-Gone'],
    } as const;
    const proxy = await proxyFor(tableTo(backend.port, { filters: [filter] }));
    await exchange(proxy.port, get('/', 'x-a: 0', 'x-gone: 1', 'X-GONE: 2'));
    const fields = requestsIn(backend.received[0] ?? '')[0]?.fields ?? [];
    assert.deepEqual(fieldValues(fields, 'host'), ['legacy.example.com']);
    assert.deepEqual(fieldValues(fields, 'x-a'), ['0', '1']);
    assert.deepEqual(fieldValues(fields, 'x-gone'), []);
  });

  it('B-50: filters run also where the client sends Expect', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(
      tableTo(backend.port, { filters: [{ type: 'RequestHeaderModifier', set: [{ name: 'X-Set', value: 'yes' }] }] }),
    );
    await exchange(
      proxy.port,
      `POST / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na`,
    );
    assert.deepEqual(fieldValues(requestsIn(backend.received[0] ?? '')[0]?.fields ?? [], 'x-set'), ['yes']);
  });

  it('a filter cannot break the framing of a request', async () => {
    const backend = await answering(ok);
    const set = [
      { name: 'Content-Length', value: '0' },
      { name: 'Transfer-Encoding', value: 'chunked' },
      { name: 'Connection', value: 'close' },
      { name: 'X-Bad', value: 'a\r\nb' },
    ];
    const proxy = await proxyFor(tableTo(backend.port, { filters: [{ type: 'RequestHeaderModifier', set }] }));
    await exchange(proxy.port, `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3\r\n\r\nabc`);
    const [seen] = requestsIn(backend.received[0] ?? '');
    assert.equal(seen?.body, 'abc');
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'content-length'), ['3']);
  });
});
