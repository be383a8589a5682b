import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import {
  atEnd,
  cleanUp,
  eventually,
  exchange,
  get,
  host,
  listen,
  ok,
  proxyFor,
  rawBackend,
  rawClient,
  requestsIn,
  responseOf,
  answering,
  tableTo,
  fieldValues,
} from './harness.ts';
import type { TestProxy } from './harness.ts';

const head = 'HTTP/1.1 200 OK\r\n';

async function metric(proxy: TestProxy, pattern: RegExp): Promise<number> {
  const text = await (await fetch(`${proxy.adminUrl}/metrics`)).text();
  return Number(pattern.exec(text)?.[1] ?? 0);
}

const errors = (reason: string): RegExp =>
  new RegExp(`^cftunnel_proxy_backend_errors_total\\{hostname="${host}",reason="${reason}"\\} (\\d+)$`, 'm');
const requests = (class_: string): RegExp =>
  new RegExp(`^cftunnel_proxy_requests_total\\{hostname="${host}",status_class="${class_}"\\} (\\d+)$`, 'm');

describe('wire: a backend that fails', () => {
  afterEach(cleanUp);

  for (const [name, framing, first] of [
    ['a length', 'Content-Length: 1000', 'ten bytes.'],
    ['chunks', 'Transfer-Encoding: chunked', '4\r\nabcd\r\n'],
  ] as const) {
    for (const how of ['FIN', 'RST'] as const) {
      it(`B-05: ${how} in the middle of a body with ${name} is seen as an aborted response, never a clean end`, async () => {
        const backend = await rawBackend((socket) => {
          socket.write(`${head}${framing}\r\n\r\n${first}`, () => {
            setTimeout(() => (how === 'FIN' ? socket.end() : socket.resetAndDestroy()), 20);
          });
        });
        const proxy = await proxyFor(tableTo(backend.port));
        const client = rawClient(proxy.port);
        client.send(get('/'));
        const { bytes, how: ended } = await client.end();
        assert.equal(ended, 'reset');
        assert.equal(responseOf(bytes), undefined);
        assert.equal(await metric(proxy, errors('other')), 1);
        assert.equal(await metric(proxy, /^cftunnel_proxy_requests_in_flight (\d+)$/m), 0);
        assert.equal((await exchange(proxy.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).status, 404);
      });
    }
  }

  it('an HTTP/1.0 client sees a truncated body as a reset', async () => {
    const backend = await rawBackend((socket) => socket.end(`${head}Content-Length: 1000\r\n\r\nten bytes.`));
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(`GET / HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
    assert.equal((await client.end()).how, 'reset');
  });

  it('a body that ends with the connection ends cleanly', async () => {
    const backend = await rawBackend((socket) => socket.end(`${head}\r\nall of it`));
    const proxy = await proxyFor(tableTo(backend.port));
    assert.equal((await exchange(proxy.port, get('/'))).body, 'all of it');
  });

  it('a refused connection is 502', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const proxy = await proxyFor(tableTo(port));
    const response = await exchange(proxy.port, get('/'));
    assert.equal(response.status, 502);
    assert.equal(response.body, 'bad gateway\n');
    assert.equal(await metric(proxy, errors('dial')), 1);
  });

  for (const [name, act] of [
    ['closes without an answer', (socket: { end(): void }) => socket.end()],
    ['resets without an answer', (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
    ['answers with something that is no HTTP', (socket: { end(text: string): void }) => socket.end('hello\r\n\r\n')],
    [
      'switches protocols unasked',
      (socket: { write(text: string): void }) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
    [
      'sends a length and chunks at once',
      (socket: { write(text: string): void }) =>
        socket.write(`${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    ],
  ] as const) {
    it(`a backend that ${name} is 502, and is asked once`, async () => {
      const backend = await rawBackend((socket) => act(socket));
      const proxy = await proxyFor(tableTo(backend.port));
      assert.equal((await exchange(proxy.port, get('/'))).status, 502);
      assert.equal(backend.received.flatMap(requestsIn).length, 1);
    });
  }

  it('a backend that speaks no TLS where it should is 502, counted as tls', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const port = await listen(server);
    atEnd(() => void server.close());
    const proxy = await proxyFor(tableTo(port, { protocol: 'https' }));
    assert.equal((await exchange(proxy.port, get('/'))).status, 502);
    assert.equal(await metric(proxy, errors('tls')), 1);
  });

  it('a gRPC request gets UNAVAILABLE in place of 502, counted as 5xx', async () => {
    const backend = await rawBackend((socket) => socket.end());
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/grpc+proto\r\nContent-Length: 0\r\n\r\n`,
    );
    const bytes = await client.until(
      (soFar) => /grpc-status/i.test(soFar) && soFar.endsWith('\r\n\r\n') && soFar.includes('0\r\n'),
    );
    assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(bytes, /\r\nContent-Type: application\/grpc\r\n/);
    assert.match(bytes, /\r\n0\r\nGrpc-Status: 14\r\nGrpc-Message: bad gateway\r\n\r\n$/);
    assert.equal(await metric(proxy, requests('5xx')), 1);
  });

  it('a gRPC request without a route gets UNIMPLEMENTED', async () => {
    const proxy = await proxyFor(tableTo(1));
    const client = rawClient(proxy.port);
    client.send('POST / HTTP/1.1\r\nHost: x.test\r\nContent-Type: application/grpc\r\nContent-Length: 0\r\n\r\n');
    assert.match(
      await client.until((soFar) => soFar.includes('Grpc-Message')),
      /\r\n0\r\nGrpc-Status: 12\r\nGrpc-Message: no matching route\r\n/,
    );
  });

  it('drops informational answers and sends the final one', async () => {
    const backend = await answering(
      `HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${ok}`,
    );
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    const bytes = await client.until((soFar) => responseOf(soFar) !== undefined);
    assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n/);
    assert.doesNotMatch(bytes, /Link/);
  });

  it('passes 204 and 304 on without a body, 304 with its length, and a status nobody knows', async () => {
    for (const [line, field] of [
      ['204 No Content', ''],
      ['304 Not Modified', 'Content-Length: 10\r\n'],
      ['799 Odd', 'Content-Length: 0\r\n'],
    ] as const) {
      const backend = await answering(`HTTP/1.1 ${line}\r\n${field}\r\n`);
      const proxy = await proxyFor(tableTo(backend.port));
      const client = rawClient(proxy.port);
      client.send(get('/'));
      const bytes = await client.until((soFar) => soFar.endsWith('\r\n\r\n'));
      assert.ok(bytes.startsWith(`HTTP/1.1 ${line}\r\n`));
      assert.equal(bytes.includes(field), true);
    }
  });
});

describe('wire: a connection that is used again', () => {
  afterEach(cleanUp);

  const dyingOnSecond = () =>
    rawBackend((socket, soFar, index) => {
      if (index > 0 || requestsIn(soFar).length === 1) socket.write(ok);
      else socket.destroy();
    });

  it('a GET on a reused connection that died before any answer is sent once more', async () => {
    const backend = await dyingOnSecond();
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/one'));
    await client.until((bytes) => bytes.includes('ok'));
    client.send(get('/two'));
    const bytes = await client.until((soFar) => soFar.split('HTTP/1.1 ').length === 3 && soFar.endsWith('k'));
    assert.equal(bytes.split('200 OK').length, 3);
    assert.equal(backend.received.length, 2);
  });

  it('a POST is not', async () => {
    const backend = await dyingOnSecond();
    const proxy = await proxyFor(tableTo(backend.port));
    await exchange(proxy.port, get('/one'));
    const response = await exchange(proxy.port, `POST /two HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\n\r\na`);
    assert.equal(response.status, 502);
    assert.equal(backend.received.length, 1);
  });

  it('nor is one of which a byte of the answer had come', async () => {
    const backend = await rawBackend((socket, soFar, index) => {
      if (index > 0 || requestsIn(soFar).length === 1) socket.write(ok);
      else socket.write('HTTP/1.1 2', () => setTimeout(() => socket.destroy(), 10));
    });
    const proxy = await proxyFor(tableTo(backend.port));
    await exchange(proxy.port, get('/one'));
    assert.equal((await exchange(proxy.port, get('/two'))).status, 502);
    assert.equal(backend.received.length, 1);
  });
});

describe('wire: timeouts', () => {
  afterEach(cleanUp);

  it('B-57: no answer in time is 504, the backend connection is closed', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { timeouts: { request: 150 } }));
    const response = await exchange(proxy.port, get('/'));
    assert.equal(response.status, 504);
    assert.equal(response.body, 'gateway timeout\n');
    await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
    assert.equal(await metric(proxy, errors('timeout')), 1);
  });

  it('the stricter of request and backendRequest counts', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { timeouts: { request: 60_000, backendRequest: 100 } }));
    assert.equal((await exchange(proxy.port, get('/'))).status, 504);
  });

  it('B-58: the timeout covers the wait for the head only', async () => {
    const backend = await rawBackend((socket) => {
      socket.write(`${head}Content-Length: 4\r\n\r\n`);
      for (const [index, byte] of ['a', 'b', 'c', 'd'].entries())
        setTimeout(() => socket.write(byte), 60 * (index + 1));
    });
    const proxy = await proxyFor(tableTo(backend.port, { timeouts: { request: 120 } }));
    assert.equal((await exchange(proxy.port, get('/'))).body, 'abcd');
  });

  it('a gRPC request gets UNAVAILABLE, not DEADLINE_EXCEEDED', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { timeouts: { request: 100 } }));
    const client = rawClient(proxy.port);
    client.send(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/grpc\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n\0\0\0\0\0\r\n`,
    );
    assert.match((await client.end()).bytes, /Grpc-Status: 14/);
  });
});

describe('wire: streams and clients that go away', () => {
  afterEach(cleanUp);

  it('B-59: head and each event reach the client at once', async () => {
    const sent = Promise.withResolvers<(text: string) => void>();
    const backend = await rawBackend((socket) => {
      socket.write(`${head}Content-Type: text/event-stream; charset=utf-8\r\n\r\n`);
      sent.resolve((text) => void socket.write(text));
    });
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    const response = await client.until((bytes) => bytes.includes('\r\n\r\n'));
    assert.match(response, /Content-Type: text\/event-stream; charset=utf-8\r\n/);
    assert.doesNotMatch(response, /content-length/i);
    const send = await sent.promise;
    for (const event of ['data: 1', 'data: 2']) {
      send(`${event}\n\n`);
      await client.until((bytes) => bytes.includes(event));
    }
  });

  it('B-59: an answer may begin before the request has ended', async () => {
    const backend = await rawBackend((socket, soFar) => {
      if (/one(?:\r\n)?$/.test(soFar)) socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\nONE\r\n`);
      if (/two(?:\r\n)?$/.test(soFar)) socket.write('3\r\nTWO\r\n');
      if (soFar.endsWith('0\r\n\r\n')) socket.write('0\r\n\r\n');
    });
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(`POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n`);
    await client.until((bytes) => bytes.includes('ONE'));
    client.send('3\r\ntwo\r\n');
    await client.until((bytes) => bytes.includes('TWO'));
    client.send('0\r\n\r\n');
    assert.equal(responseOf(await client.until((bytes) => responseOf(bytes) !== undefined))?.body, 'ONETWO');
  });

  it('trailers of a chunked answer reach the client', async () => {
    const backend = await answering(
      `${head}Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n`,
    );
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    const bytes = await client.until((soFar) => soFar.endsWith('X-Sum: 1\r\n\r\n'));
    assert.match(bytes, /Trailer: X-Sum\r\n/);
    assert.match(bytes, /\r\n0\r\nX-Sum: 1\r\n\r\n$/);
  });

  it('a HEAD answer keeps its length and has no body', async () => {
    const backend = await answering(`${head}Content-Length: 5\r\nTrailer: X\r\n\r\n`);
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(`HEAD / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const bytes = await client.until((soFar) => soFar.endsWith('\r\n\r\n'));
    assert.deepEqual(fieldValues(bytes.split('\r\n'), 'content-length'), ['5']);
  });

  it('a slow reader slows the backend', async () => {
    const size = 64 * 1024 * 1024;
    const backend = await rawBackend((socket) => {
      socket.write(`${head}Content-Length: ${size}\r\n\r\n`);
      socket.write(Buffer.alloc(size));
    });
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.socket.pause();
    client.send(get('/'));
    await eventually(() => backend.sockets.length === 1, 'the backend is asked');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.ok((backend.sockets[0]?.writableLength ?? 0) > size / 4, 'most of the body still waits in the backend');
  });

  for (const [when, answer] of [
    ['before an answer', ''],
    ['in the middle of a body', `${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`],
  ] as const) {
    it(`B-60: a client that goes away ${when} cancels the backend's work and counts as aborted`, async () => {
      const backend = await rawBackend((socket) => socket.write(answer));
      const proxy = await proxyFor(tableTo(backend.port));
      const client = rawClient(proxy.port);
      client.send(get('/'));
      await eventually(() => backend.received.join('').includes('GET'), 'the backend is asked');
      if (answer !== '') await client.until((bytes) => bytes.includes('a\r\n'));
      client.socket.destroy();
      await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
      assert.equal(await metric(proxy, requests('aborted')), 1);
      assert.equal(await metric(proxy, requests('5xx')), 0);
      assert.equal(await metric(proxy, errors('canceled')), 1);
      assert.equal(await metric(proxy, /^cftunnel_proxy_requests_in_flight (\d+)$/m), 0);
    });
  }

  it('an early answer to an upload reaches the client', async () => {
    const backend = await rawBackend((socket) =>
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig'),
    );
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000\r\n\r\nbeginning`);
    const response = responseOf((await client.end()).bytes);
    assert.equal(response?.status, 413);
    assert.equal(response?.body, 'big');
  });
});
