/**
 * One test for each defect of http-proxy-3 that field-cases lists in its part 3. They fail on any change that lets one of the library's own
 * passes run, or on an upgrade that moves our pass behind one of them.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { createProxyServer } from 'http-proxy-3';
import {
  answering,
  cleanUp,
  eventually,
  exchange,
  fieldValues,
  get,
  host,
  listen,
  ok,
  proxyFor,
  rawBackend,
  rawClient,
  requestsIn,
  responseOf,
  tableTo,
} from './harness.ts';
import type { SeenRequest } from './harness.ts';

async function sent(
  raw: string,
  answer = ok,
): Promise<{ status: number; fields: readonly string[]; bytes: string; seen: readonly SeenRequest[] }> {
  const backend = await answering(answer);
  const proxy = await proxyFor(tableTo(backend.port));
  const client = rawClient(proxy.port);
  client.send(raw);
  const bytes = await client.until((soFar) => responseOf(soFar) !== undefined);
  const response = responseOf(bytes);
  return {
    status: response?.status ?? 0,
    fields: response?.fields ?? [],
    bytes,
    seen: backend.received.flatMap(requestsIn),
  };
}

describe('http-proxy-3: defects that our pass cures', () => {
  afterEach(cleanUp);

  it('the passes ours is put in front of are there and come first', () => {
    const proxy = createProxyServer({});
    const order: string[] = [];
    proxy.before('web', 'deleteLength', () => {
      order.push('ours');
      return true;
    });
    const { webPasses } = proxy as unknown as { webPasses: { name: string }[] };
    assert.equal(webPasses[1]?.name, 'deleteLength');
    proxy.before('ws', 'checkMethodAndHeader', () => true);
    const { wsPasses } = proxy as unknown as { wsPasses: { name: string }[] };
    assert.equal(wsPasses[1]?.name, 'checkMethodAndHeader');
  });

  for (const method of ['DELETE', 'OPTIONS']) {
    it(`${method} with a chunked body loses its framing`, async () => {
      const inner = 'GET /admin HTTP/1.1\r\nHost: x\r\n\r\n';
      const { seen } = await sent(
        `${method} /a HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
      );
      assert.deepEqual(
        seen.map(({ line, body }) => [line, body]),
        [[`${method} /a HTTP/1.1`, inner]],
      );
    });
  }

  it('hop-by-hop fields of a request go through', async () => {
    const { seen } = await sent(
      get(
        '/',
        'Connection: x-a',
        'X-A: 1',
        'Keep-Alive: 1',
        'TE: x',
        'Proxy-Authorization: x',
        'Proxy-Connection: x',
        'Upgrade: x',
      ),
    );
    const names = (seen[0]?.fields ?? []).map((line) => line.split(':')[0]?.toLowerCase());
    for (const gone of ['x-a', 'keep-alive', 'te', 'proxy-authorization', 'proxy-connection', 'upgrade'])
      assert.ok(!names.includes(gone), gone);
  });

  it('a client\u2019s Connection: close costs the backend connection', async () => {
    const { seen } = await sent(get('/', 'Connection: close'));
    assert.deepEqual(fieldValues(seen[0]?.fields ?? [], 'connection'), ['keep-alive']);
  });

  it('Keep-Alive and Proxy-Authenticate of a response go through', async () => {
    const { fields } = await sent(
      get('/'),
      'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nProxy-Authenticate: x\r\nContent-Length: 0\r\n\r\n',
    );
    for (const gone of ['keep-alive', 'proxy-authenticate']) assert.deepEqual(fieldValues(fields, gone), [], gone);
  });

  it('the path is rebuilt by WHATWG URL', async () => {
    const { seen } = await sent(get('/a/{b}"%2e%2e/c?'));
    assert.equal(seen[0]?.line, 'GET /a/{b}"../c? HTTP/1.1');
  });

  for (const target of ['/[', '/\\[', 'http://[', 'http://%']) {
    it(`the malformed target ${target} makes it throw`, async () => {
      const backend = await answering(ok);
      const proxy = await proxyFor(tableTo(backend.port));
      const client = rawClient(proxy.port);
      client.send(get(target));
      const bytes = await client.until((soFar) => responseOf(soFar) !== undefined);
      assert.match(bytes, target.startsWith('/') ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 400 /);
      assert.equal((await exchange(proxy.port, get('/'))).status, 200);
    });
  }

  it('an illegal header name or value in options makes it throw', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(
      tableTo(backend.port, {
        filters: [
          {
            type: 'RequestHeaderModifier',
            add: [
              { name: 'a b', value: '1' },
              { name: 'c', value: '\n' },
            ],
          },
        ],
      }),
    );
    assert.equal((await exchange(proxy.port, get('/'))).status, 200);
  });

  it('with Expect no header change is made, and Expect goes through', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(
      tableTo(backend.port, { filters: [{ type: 'RequestHeaderModifier', set: [{ name: 'X-Set', value: '1' }] }] }),
    );
    await exchange(proxy.port, `PUT / HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na`);
    const [seen] = backend.received.flatMap(requestsIn);
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'x-set'), ['1']);
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'expect'), []);
  });

  it('a backend that dies in the middle of a body leaves the client hanging', async () => {
    const backend = await rawBackend((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nten bytes.'),
    );
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    assert.equal((await client.end()).how, 'reset');
  });

  it('response trailers are dropped', async () => {
    const backend = await answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n');
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    await client.until((bytes) => bytes.endsWith('0\r\nX-T: 1\r\n\r\n'));
  });

  it('a timeout shows as a reset, and after the head the client hangs', async () => {
    const backend = await rawBackend((socket, soFar) => {
      if (soFar.includes('/begun'))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab', () => setTimeout(() => socket.write('cd'), 200));
    });
    const proxy = await proxyFor(tableTo(backend.port, { timeouts: { request: 100 } }));
    assert.equal((await exchange(proxy.port, get('/'))).status, 504);
    assert.equal((await exchange(proxy.port, get('/begun'))).body, 'abcd');
  });

  it('a WebSocket handshake has no timeout', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true, timeouts: { request: 100 } }));
    assert.equal((await exchange(proxy.port, get('/', 'Connection: Upgrade', 'Upgrade: websocket'))).status, 504);
  });

  it('xfwd appends its own proto and port', async () => {
    const { seen } = await sent(get('/', 'X-Forwarded-Proto: https', 'X-Forwarded-Port: 443'));
    assert.deepEqual(fieldValues(seen[0]?.fields ?? [], 'x-forwarded-proto'), ['https']);
    assert.deepEqual(fieldValues(seen[0]?.fields ?? [], 'x-forwarded-port'), ['443']);
  });

  it('an upgrade that is not WebSocket, or not GET, has its socket destroyed', async () => {
    assert.equal((await sent(get('/', 'Connection: Upgrade', 'Upgrade: foo'))).status, 200);
    assert.equal(
      (await sent(`POST / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).status,
      200,
    );
  });

  it('a WebSocket backend that fails gives no HTTP status', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const proxy = await proxyFor(tableTo(port, { websocket: true }));
    assert.equal((await exchange(proxy.port, get('/', 'Connection: Upgrade', 'Upgrade: websocket'))).status, 502);
  });

  it('an answer other than 101 gets Connection: upgrade', async () => {
    const backend = await answering('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const response = await exchange(proxy.port, get('/', 'Connection: Upgrade', 'Upgrade: websocket'));
    assert.equal(response.status, 403);
    assert.deepEqual(fieldValues(response.fields, 'connection'), ['close']);
    assert.deepEqual(fieldValues(response.fields, 'upgrade'), []);
  });

  it('header spelling is lost and a second User-Agent dropped', async () => {
    const { seen } = await sent(get('/', 'User-Agent: a', 'User-Agent: b', 'X-CaSe: 1'));
    assert.deepEqual(fieldValues(seen[0]?.fields ?? [], 'user-agent'), ['a', 'b']);
    assert.ok(seen[0]?.fields.includes('X-CaSe: 1'));
  });

  it('without an agent each request dials', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    for (let index = 0; index < 5; index += 1) await exchange(proxy.port, get('/'));
    assert.equal(backend.received.length, 1);
  });

  it('an error after the head makes an error page throw', async () => {
    const backend = await rawBackend((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n', () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    });
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    const { bytes } = await client.end();
    assert.equal(bytes.split('HTTP/1.1').length, 2);
  });

  it('only the last Set-Cookie survives its fetch mode, and a body that is packed is unpacked', async () => {
    const { fields, bytes } = await sent(
      get('/'),
      'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc',
    );
    assert.deepEqual(fieldValues(fields, 'set-cookie'), ['a=1', 'b=2']);
    assert.deepEqual(fieldValues(fields, 'content-encoding'), ['gzip']);
    assert.ok(bytes.endsWith('abc'));
  });

  it('redirects of a backend are passed on, not followed', async () => {
    const { status, fields, seen } = await sent(
      get('/'),
      'HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n',
    );
    assert.equal(status, 302);
    assert.deepEqual(fieldValues(fields, 'location'), ['/b']);
    assert.equal(seen.length, 1);
  });

  it('sockets that vanish are counted out', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const client = rawClient(proxy.port);
    client.send(get('/', 'Connection: Upgrade', 'Upgrade: websocket'));
    await eventually(() => backend.received.length === 1, 'the backend is dialled');
    client.socket.resetAndDestroy();
    await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
  });
});
