import assert from 'node:assert/strict';
import {
  answering,
  cleanUp,
  exchange,
  fieldValues,
  host,
  ok,
  proxyFor,
  rawClient,
  requestsIn,
  responseOf,
  tableTo,
} from './harness.ts';
import type { RawBackend, TestProxy } from './harness.ts';

/** A raw request, the answer's status, and what the backend saw of it: a request line, or nothing. */
interface GateCase {
  readonly name: string;
  readonly raw: string;
  readonly status: number;
  readonly sees?: string;
  /** Label of the refusal; the connection is closed exactly when there is one. */
  readonly reason?: string;
}

const lines = (...all: readonly string[]): string => [...all, '', ''].join('\r\n');
const target = (path: string, ...more: readonly string[]): string =>
  lines(`GET ${path} HTTP/1.1`, `Host: ${host}`, ...more);
const fields = (count: number): string[] => Array.from({ length: count }, (_, index) => `X-${index}: v`);

const cases: readonly GateCase[] = [
  { name: 'no Host', raw: lines('GET / HTTP/1.1'), status: 400, reason: 'host_missing' },
  { name: 'no Host in HTTP/1.0', raw: lines('GET / HTTP/1.0'), status: 400, reason: 'host_missing' },
  { name: 'an empty Host', raw: lines('GET / HTTP/1.1', 'Host:'), status: 400, reason: 'host_missing' },
  {
    name: 'two Host fields',
    raw: lines('GET / HTTP/1.1', `Host: ${host}`, `Host: ${host}`),
    status: 400,
    reason: 'host_duplicate',
  },
  {
    name: 'a Host in two spellings',
    raw: lines('GET / HTTP/1.1', `Host: ${host}`, 'hOST: x'),
    status: 400,
    reason: 'host_duplicate',
  },
  { name: 'userinfo in Host', raw: lines('GET / HTTP/1.1', `Host: me@${host}`), status: 400, reason: 'host_invalid' },
  { name: 'a path in Host', raw: lines('GET / HTTP/1.1', `Host: ${host}/x`), status: 400, reason: 'host_invalid' },
  {
    name: 'a comma in Host',
    raw: lines('GET / HTTP/1.1', `Host: ${host},b.example.com`),
    status: 400,
    reason: 'host_invalid',
  },
  { name: 'a space in Host', raw: lines('GET / HTTP/1.1', `Host: ${host} b`), status: 400, reason: 'host_invalid' },
  {
    name: 'a control character in Host',
    raw: lines('GET / HTTP/1.1', `Host: app\u0001.example.com`),
    status: 400,
    reason: 'syntax',
  },
  {
    name: 'a port that is no number',
    raw: lines('GET / HTTP/1.1', `Host: ${host}:x`),
    status: 400,
    reason: 'host_invalid',
  },
  { name: 'Host with a port', raw: lines('GET / HTTP/1.1', `Host: ${host}:8443`), status: 200, sees: 'GET / HTTP/1.1' },
  {
    name: 'Host in capitals and with a final dot',
    raw: lines('GET / HTTP/1.1', 'Host: APP.Example.com.'),
    status: 200,
    sees: 'GET / HTTP/1.1',
  },
  { name: 'an IPv6 literal', raw: lines('GET / HTTP/1.1', 'Host: [::1]:8080'), status: 404 },

  {
    name: 'asterisk-form, not OPTIONS',
    raw: lines('GET * HTTP/1.1', `Host: ${host}`),
    status: 400,
    reason: 'target_form',
  },
  { name: 'asterisk-form for OPTIONS', raw: lines('OPTIONS * HTTP/1.1', `Host: ${host}`), status: 204 },
  {
    name: 'authority-form, not CONNECT',
    raw: lines(`GET ${host}:80 HTTP/1.1`, `Host: ${host}`),
    status: 400,
    reason: 'syntax',
  },
  { name: 'CONNECT', raw: lines(`CONNECT ${host}:80 HTTP/1.1`, `Host: ${host}`), status: 501, reason: 'connect' },
  {
    name: 'absolute-form of another host',
    raw: lines('GET http://b.example.com/ HTTP/1.1', `Host: ${host}`),
    status: 400,
    reason: 'target_authority',
  },
  {
    name: 'absolute-form with userinfo',
    raw: lines(`GET http://me@${host}/ HTTP/1.1`, `Host: ${host}`),
    status: 400,
    reason: 'target_authority',
  },
  {
    name: 'absolute-form of this host',
    raw: lines(`GET http://${host}/a?b HTTP/1.1`, `Host: ${host}`),
    status: 200,
    sees: 'GET /a?b HTTP/1.1',
  },
  {
    name: 'absolute-form without a path',
    raw: lines(`GET http://${host} HTTP/1.1`, `Host: ${host}`),
    status: 200,
    sees: 'GET / HTTP/1.1',
  },
  {
    name: 'another scheme',
    raw: lines(`GET ftp://${host}/ HTTP/1.1`, `Host: ${host}`),
    status: 400,
    reason: 'target_form',
  },
  { name: 'a fragment', raw: target('/a#b'), status: 400, reason: 'target_fragment' },

  { name: 'dot segments', raw: target('/a/../b/./c'), status: 200, sees: 'GET /b/c HTTP/1.1' },
  { name: 'escaped dot segments', raw: target('/a/%2e%2E/b'), status: 200, sees: 'GET /b HTTP/1.1' },
  { name: 'a path that climbs above the root', raw: target('/../b'), status: 400, reason: 'path' },
  { name: 'a doubled slash', raw: target('//a//b'), status: 200, sees: 'GET //a//b HTTP/1.1' },
  { name: 'an escaped slash', raw: target('/a%2Fb%5Cc'), status: 200, sees: 'GET /a%2Fb%5Cc HTTP/1.1' },
  { name: 'an escaped slash that hides a dot segment', raw: target('/a/..%2fadmin'), status: 400, reason: 'path' },
  { name: 'an escaped backslash that hides a dot segment', raw: target('/a/..%5Cadmin'), status: 400, reason: 'path' },
  { name: 'a raw backslash that hides a dot segment', raw: target('/a\\..\\admin'), status: 400, reason: 'path' },
  { name: '%00', raw: target('/a%00b'), status: 400, reason: 'path' },
  { name: 'a broken escape', raw: target('/a%zz'), status: 400, reason: 'path' },
  {
    name: 'a broken escape in the query',
    raw: target('/a?b=%zz&&=%2F'),
    status: 200,
    sees: 'GET /a?b=%zz&&=%2F HTTP/1.1',
  },
  { name: 'a bare question mark', raw: target('/a?'), status: 200, sees: 'GET /a? HTTP/1.1' },
  { name: 'braces and quotes', raw: target('/{a}"|'), status: 200, sees: 'GET /{a}"| HTTP/1.1' },

  {
    name: 'a coding before chunked',
    raw: target('/', 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n',
    status: 400,
    reason: 'transfer_encoding',
  },
  {
    name: 'chunked twice',
    raw: target('/', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    status: 400,
    reason: 'syntax',
  },
  { name: 'identity', raw: target('/', 'Transfer-Encoding: identity'), status: 400, reason: 'syntax' },
  {
    name: 'a coding that is only like chunked',
    raw: target('/', 'Transfer-Encoding: xchunked') + '0\r\n\r\n',
    status: 400,
    reason: 'syntax',
  },
  {
    name: 'Transfer-Encoding in HTTP/1.0',
    raw: lines('POST / HTTP/1.0', `Host: ${host}`, 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    status: 400,
    reason: 'transfer_encoding_http10',
  },
  {
    name: 'both length and coding',
    raw: target('/', 'Content-Length: 4', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    status: 400,
    reason: 'syntax',
  },
  {
    name: 'both, the coding first',
    raw: target('/', 'Transfer-Encoding: chunked', 'Content-Length: 4') + '0\r\n\r\n',
    status: 400,
    reason: 'syntax',
  },
  { name: 'a signed length', raw: target('/', 'Content-Length: +2') + 'ab', status: 400, reason: 'syntax' },
  { name: 'a length in hex', raw: target('/', 'Content-Length: 0x2') + 'ab', status: 400, reason: 'syntax' },
  {
    name: 'a length above 2^53',
    raw: target('/', 'Content-Length: 9007199254740993'),
    status: 400,
    reason: 'content_length',
  },
  {
    name: 'two lengths',
    raw: target('/', 'Content-Length: 2', 'Content-Length: 2') + 'ab',
    status: 400,
    reason: 'syntax',
  },
  { name: 'a list of lengths', raw: target('/', 'Content-Length: 2, 2') + 'ab', status: 400, reason: 'syntax' },
  {
    name: 'white space before the colon',
    raw: target('/', 'Content-Length : 2') + 'ab',
    status: 400,
    reason: 'syntax',
  },
  { name: 'a folded field', raw: target('/', 'X-A: b', ' c'), status: 400, reason: 'syntax' },
  { name: 'bare line feeds', raw: `GET / HTTP/1.1\nHost: ${host}\n\n`, status: 400, reason: 'syntax' },
  { name: 'no HTTP at all', raw: 'hello\r\n\r\n', status: 400, reason: 'syntax' },

  { name: 'names with an underscore', raw: target('/', 'X_under: 1'), status: 200, sees: 'GET / HTTP/1.1' },
  { name: '500 fields', raw: target('/', ...fields(499)), status: 200, sees: 'GET / HTTP/1.1' },
  { name: '501 fields', raw: target('/', ...fields(500)), status: 431, reason: 'field_count' },
  { name: '2500 fields', raw: target('/', ...fields(2499)), status: 431, reason: 'field_count' },
  {
    name: 'fields of nearly 128 KiB',
    raw: target('/', `X-Big: ${'a'.repeat(127 * 1024)}`),
    status: 200,
    sees: 'GET / HTTP/1.1',
  },
  {
    name: 'fields of 128 KiB',
    raw: target('/', `X-Big: ${'a'.repeat(128 * 1024)}`),
    status: 431,
    reason: 'field_bytes',
  },
  {
    name: 'fields beyond what the parser takes',
    raw: target('/', `X-Big: ${'a'.repeat(300 * 1024)}`),
    status: 431,
    reason: 'field_bytes',
  },
  {
    name: 'a target of 32 KiB',
    raw: target(`/${'a'.repeat(32 * 1024 - 1)}`),
    status: 200,
    sees: `GET /${'a'.repeat(32 * 1024 - 1)} HTTP/1.1`,
  },
  { name: 'a target above 32 KiB', raw: target(`/${'a'.repeat(32 * 1024)}`), status: 414, reason: 'target_length' },

  { name: 'an expectation nobody knows', raw: target('/', 'Expect: 200-ok'), status: 417, reason: 'expect' },
];

describe('wire: the gate', () => {
  let backend: RawBackend;
  let proxy: TestProxy;
  before(async () => {
    backend = await answering(ok);
    proxy = await proxyFor(tableTo(backend.port));
  });
  after(cleanUp);

  for (const { name, raw, status, sees, reason } of cases) {
    it(`${name}: ${status}${reason === undefined ? '' : ' and close'}`, async () => {
      const seenBefore = backend.received.flatMap(requestsIn).length;
      const refusedBefore = await refused(proxy, reason);
      const client = rawClient(proxy.port);
      client.send(raw);
      const bytes =
        reason === undefined
          ? await client.until((soFar) => responseOf(soFar) !== undefined)
          : (await client.end()).bytes;
      const response = responseOf(bytes);
      assert.equal(response?.status, status);
      assert.equal(fieldValues(response?.fields ?? [], 'connection').includes('close'), reason !== undefined);
      const seen = backend.received.flatMap(requestsIn).slice(seenBefore);
      assert.deepEqual(
        seen.map(({ line }) => line),
        sees === undefined ? [] : [sees],
      );
      if (reason !== undefined) assert.equal(await refused(proxy, reason), refusedBefore + 1);
      client.socket.destroy();
    });
  }

  it('sends the host as it came, port and case kept', async () => {
    await exchange(proxy.port, lines('GET /host HTTP/1.1', 'Host: App.Example.com:8443'));
    const seen = backend.received.flatMap(requestsIn).find(({ line }) => line.startsWith('GET /host'));
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'host'), ['App.Example.com:8443']);
  });

  it('answers 100-continue itself and does not send the expectation on', async () => {
    const client = rawClient(proxy.port);
    client.send(lines('POST /expect HTTP/1.1', `Host: ${host}`, 'Expect: 100-continue', 'Content-Length: 4'));
    await client.until((bytes) => bytes.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
    client.send('body');
    const response = responseOf(await client.until((bytes) => responseOf(bytes) !== undefined));
    assert.equal(response?.status, 200);
    const seen = backend.received.flatMap(requestsIn).find(({ line }) => line.startsWith('POST /expect'));
    assert.equal(seen?.body, 'body');
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'expect'), []);
  });

  it('refuses before it invites a body', async () => {
    const client = rawClient(proxy.port);
    client.send(lines('POST /a%00 HTTP/1.1', `Host: ${host}`, 'Expect: 100-continue', 'Content-Length: 4'));
    assert.match((await client.end()).bytes, /^HTTP\/1\.1 400 /);
  });

  it('keeps an idle connection, and serves on it after a refusal elsewhere', async () => {
    const client = rawClient(proxy.port);
    client.send(target('/one'));
    await client.until((bytes) => responseOf(bytes) !== undefined);
    await exchange(proxy.port, target('/a%00'));
    client.send(target('/two'));
    await client.until((bytes) => bytes.split('HTTP/1.1 200').length === 3);
  });
});

async function refused(proxy: TestProxy, reason: string | undefined): Promise<number> {
  const text = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
  return Number(
    new RegExp(`^cftunnel_proxy_gate_refused_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
  );
}
