import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { AddressInfo } from 'node:net';
import {
  answering,
  atEnd,
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
import type { TestProxy } from './harness.ts';

const key = 'dGhlIHNhbXBsZSBub25jZQ==';
const handshake = (...lines: readonly string[]): string =>
  get(
    '/chat?x=1',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${key}`,
    ...lines,
  );
const switching =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n';

/** A real WebSocket server that echoes; `open()` counts its sockets. */
async function echo(): Promise<{ port: number; open: () => number; closes: number[] }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const closes: number[] = [];
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on('close', (code) => closes.push(code));
    socket.on('error', () => {});
  });
  await new Promise((resolve) => server.once('listening', resolve));
  atEnd(() => {
    for (const client of server.clients) client.terminate();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, open: () => server.clients.size, closes };
}

function dial(proxy: TestProxy, protocols: string[] = []): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${proxy.port}/chat`, protocols, { headers: { Host: host } });
  atEnd(() => socket.terminate());
  return socket;
}

const opened = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
const message = (socket: WebSocket): Promise<Buffer> =>
  new Promise((resolve) => socket.once('message', (data) => resolve(data as Buffer)));
const closed = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.once('close', resolve));

async function sessions(proxy: TestProxy): Promise<number> {
  const text = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
  return Number(/^cftunnel_proxy_websocket_active_sessions (\d+)$/m.exec(text)?.[1]);
}

describe('wire: WebSocket', () => {
  afterEach(cleanUp);

  it('carries text, binary, large messages, pings and close codes', async () => {
    const backend = await echo();
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const socket = dial(proxy);
    await opened(socket);
    for (const data of [Buffer.from('hello'), Buffer.alloc(200_000, 7)]) {
      socket.send(data);
      assert.deepEqual(await message(socket), data);
    }
    const pong = new Promise((resolve) => socket.once('pong', resolve));
    socket.ping('x');
    await pong;
    assert.equal(await sessions(proxy), 1);
    socket.close(4001, 'bye');
    assert.equal(await closed(socket), 4001);
    await eventually(() => backend.closes.length === 1, 'the backend sees the close');
    assert.deepEqual(backend.closes, [4001]);
    await eventually(async () => (await sessions(proxy)) === 0, 'the session is counted out');
  });

  it('sends the handshake with its fields, the host and the appended peer', async () => {
    const backend = await rawBackend((socket) => socket.write(switching));
    const proxy = await proxyFor(
      tableTo(backend.port, {
        websocket: true,
        filters: [{ type: 'RequestHeaderModifier', set: [{ name: 'X-Set', value: '1' }] }],
      }),
    );
    const client = rawClient(proxy.port);
    client.send(
      handshake(
        'Sec-WebSocket-Protocol: a, b',
        'Cookie: c=1',
        'X-Forwarded-For: 203.0.113.7',
        'X-Forwarded-Proto: https',
      ),
    );
    const bytes = await client.until((soFar) => soFar.includes('\r\n\r\n'));
    const [seen] = requestsIn(backend.received[0] ?? '');
    assert.equal(seen?.line, 'GET /chat?x=1 HTTP/1.1');
    for (const [name, value] of [
      ['host', host],
      ['connection', 'Upgrade'],
      ['upgrade', 'websocket'],
      ['sec-websocket-key', key],
      ['sec-websocket-version', '13'],
      ['sec-websocket-protocol', 'a, b'],
      ['cookie', 'c=1'],
      ['x-set', '1'],
      ['x-forwarded-proto', 'https'],
      ['x-forwarded-for', '203.0.113.7, 127.0.0.1'],
    ] as const) {
      assert.deepEqual(fieldValues(seen?.fields ?? [], name), [value], name);
    }
    assert.match(bytes, /^HTTP\/1\.1 101 Switching Protocols\r\n/);
    assert.match(bytes, /\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=\r\n/);
  });

  it('applies response filters to the 101 too', async () => {
    const backend = await rawBackend((socket) => socket.write(switching));
    const filters = [
      { type: 'ResponseHeaderModifier', add: [{ name: 'X-Added', value: '1' }], remove: ['Sec-WebSocket-Accept'] },
    ] as const;
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true, filters }));
    const client = rawClient(proxy.port);
    client.send(handshake());
    const bytes = await client.until((soFar) => soFar.includes('\r\n\r\n'));
    assert.match(bytes, /\r\nX-Added: 1\r\n/);
    assert.doesNotMatch(bytes, /Sec-WebSocket-Accept/);
  });

  it('bytes that come along with either handshake are not lost', async () => {
    const backend = await rawBackend((socket, soFar) => {
      if (soFar.endsWith('\r\n\r\nearly')) socket.write(`${switching}first`);
      if (soFar.endsWith('later')) socket.write('second');
    });
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const client = rawClient(proxy.port);
    client.send(handshake());
    await eventually(() => backend.received.length === 1, 'the backend is dialled');
    backend.sockets[0]?.write(`${switching}first`);
    await client.until((bytes) => bytes.endsWith('first'));
    client.send('later');
    await client.until((bytes) => bytes.endsWith('second'));
  });

  it('B-53 (1): a backend that refuses is 502 with a whole answer', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const proxy = await proxyFor(tableTo(port, { websocket: true }));
    const response = await exchange(proxy.port, handshake());
    assert.equal(response.status, 502);
    assert.equal(response.body, 'bad gateway\n');
    assert.deepEqual(fieldValues(response.fields, 'connection'), ['close']);
  });

  it('B-53 (2): a backend that closes before the 101 is 502', async () => {
    const backend = await rawBackend((socket) => socket.destroy());
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    assert.equal((await exchange(proxy.port, handshake())).status, 502);
  });

  it('B-53 (3): a backend that resets after the 101 closes the client, half of which reset at the same time; the proxy lives', async () => {
    const backend = await rawBackend((socket) => {
      socket.write(switching);
      setTimeout(() => socket.resetAndDestroy(), 10);
    });
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const clients = Array.from({ length: 50 }, () => rawClient(proxy.port));
    for (const [index, client] of clients.entries()) {
      client.send(handshake());
      if (index % 2 === 0) setTimeout(() => client.socket.resetAndDestroy(), 12);
    }
    await Promise.all(clients.map((client) => client.end()));
    await eventually(async () => (await sessions(proxy)) === 0, 'no session is left');
    assert.equal((await exchange(proxy.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).status, 404);
  });

  it('B-53 (4): an answer other than 101 is passed on with its body, without Connection: upgrade', async () => {
    const backend = await answering(
      'HTTP/1.1 503 Busy\r\nConnection: upgrade\r\nX-Why: 1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbusy\r\n0\r\n\r\n',
    );
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const response = await exchange(proxy.port, handshake());
    assert.equal(response.status, 503);
    assert.equal(response.reason, 'Busy');
    assert.equal(response.body, 'busy');
    assert.deepEqual(fieldValues(response.fields, 'connection'), ['close']);
    assert.deepEqual(fieldValues(response.fields, 'x-why'), ['1']);
  });

  it('a backend that switches to something else is 502', async () => {
    const backend = await answering('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: foo\r\n\r\n');
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    assert.equal((await exchange(proxy.port, handshake())).status, 502);
  });

  it('an upgrade to a backend that is not marked is forwarded as a plain request', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    const response = await exchange(proxy.port, handshake());
    assert.equal(response.status, 200);
    const [seen] = requestsIn(backend.received[0] ?? '');
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'upgrade'), []);
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'connection'), ['keep-alive']);
  });

  it('a backend that is not marked and switches anyway is 502', async () => {
    const backend = await answering(switching);
    const proxy = await proxyFor(tableTo(backend.port));
    assert.equal((await exchange(proxy.port, handshake())).status, 502);
  });

  it('an upgrade that matches no route is 404, one that the gate refuses 400', async () => {
    const proxy = await proxyFor(tableTo(1, { websocket: true }));
    assert.equal((await exchange(proxy.port, handshake().replace(host, 'other.test'))).status, 404);
    assert.equal((await exchange(proxy.port, handshake().replace('/chat', '/a%00'))).status, 400);
  });

  for (const [name, request] of [
    [
      'h2c',
      get('/', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA'),
    ],
    ['foo/1', get('/', 'Connection: Upgrade', 'Upgrade: foo/1')],
    [
      'websocket by POST with a body',
      `POST / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nhi`,
    ],
  ] as const) {
    it(`B-54: an offer of ${name} is ignored and the request answered`, async () => {
      const backend = await answering(ok);
      const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
      assert.equal((await exchange(proxy.port, request)).status, 200);
      const [seen] = requestsIn(backend.received[0] ?? '');
      for (const gone of ['upgrade', 'http2-settings'])
        assert.deepEqual(fieldValues(seen?.fields ?? [], gone), [], gone);
    });
  }

  it('B-55: the route timeout does not cut an open session', async () => {
    const backend = await echo();
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true, timeouts: { request: 100 } }));
    const socket = dial(proxy);
    await opened(socket);
    await new Promise((resolve) => setTimeout(resolve, 250));
    socket.send('still here');
    assert.equal((await message(socket)).toString(), 'still here');
  });

  it('B-55: a handshake without an answer is 504 after the timeout', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true, timeouts: { request: 100 } }));
    assert.equal((await exchange(proxy.port, handshake())).status, 504);
    await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
  });

  it('a handshake without an answer is 504 also where the route has no timeout', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }), { webSocket: { handshakeMs: 100 } });
    assert.equal((await exchange(proxy.port, handshake())).status, 504);
  });

  it('a session that is silent both ways for the idle time is ended', async () => {
    const backend = await echo();
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }), { webSocket: { idleMs: 150 } });
    const socket = dial(proxy);
    await opened(socket);
    assert.equal(await closed(socket), 1006);
    await eventually(() => backend.open() === 0, 'the backend side is closed');
  });

  it('B-56: 200 clients that vanish, half of them with a FIN only, leave nothing behind', async () => {
    const backend = await echo();
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const clients = Array.from({ length: 200 }, () => rawClient(proxy.port));
    for (const client of clients) client.send(handshake());
    await Promise.all(clients.map((client) => client.until((bytes) => bytes.includes('101 Switching'))));
    assert.equal(await sessions(proxy), 200);
    for (const [index, client] of clients.entries()) {
      if (index % 2 === 0) client.socket.destroy();
      else client.socket.end();
    }
    await eventually(() => backend.open() === 0, 'every backend socket is closed');
    await eventually(async () => (await sessions(proxy)) === 0, 'every session is counted out');
  });

  it('a client that goes away during the handshake cancels it', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const client = rawClient(proxy.port);
    client.send(handshake());
    await eventually(() => backend.received.length === 1, 'the backend is dialled');
    client.socket.destroy();
    await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
  });

  it('a drain closes sessions with 1001 on both sides', async () => {
    const backend = await echo();
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const socket = dial(proxy);
    await opened(socket);
    proxy.drain();
    assert.equal(await closed(socket), 1001);
    await eventually(() => backend.closes.length === 1, 'the backend sees the close');
    assert.deepEqual(backend.closes, [1001]);
  });

  it('a drain puts its close frame between two frames, not into one', async () => {
    const frame = Buffer.concat([Buffer.from([0x82, 10]), Buffer.alloc(10, 0x61)]);
    const backend = await rawBackend((socket) => {
      socket.write(switching);
      socket.write(frame.subarray(0, 5));
    });
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const client = rawClient(proxy.port);
    client.send(handshake());
    await client.until((bytes) => bytes.endsWith(frame.subarray(0, 5).toString('latin1')));
    proxy.drain();
    backend.sockets[0]?.write(frame.subarray(5));
    const { bytes } = await client.end();
    assert.ok(bytes.endsWith(`${frame.toString('latin1')}\x88\x02\x03\xe9`));
  });

  it('an open session survives a reload, and the next one goes by the new table', async () => {
    const first = await echo();
    const second = await echo();
    const proxy = await proxyFor(tableTo(first.port, { websocket: true }));
    const socket = dial(proxy);
    await opened(socket);
    await proxy.load(tableTo(second.port, { websocket: true }));
    const next = dial(proxy);
    await opened(next);
    assert.equal(first.open(), 1);
    assert.equal(second.open(), 1);
    socket.send('x');
    assert.equal((await message(socket)).toString(), 'x');
  });

  it('an HTTP request on the same backend works while sessions are open', async () => {
    const backend = await rawBackend((socket, soFar) => socket.write(soFar.includes('Upgrade') ? switching : ok));
    const proxy = await proxyFor(tableTo(backend.port, { websocket: true }));
    const client = rawClient(proxy.port);
    client.send(handshake());
    await client.until((bytes) => bytes.includes('101'));
    assert.equal(responseOf(await plain(proxy))?.body, 'ok');
  });
});

async function plain(proxy: TestProxy): Promise<string> {
  const client = rawClient(proxy.port);
  client.send(get('/'));
  return client.until((bytes) => responseOf(bytes) !== undefined);
}
