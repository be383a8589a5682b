import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import {
  answering,
  atEnd,
  cleanUp,
  eventually,
  exchange,
  fieldValues,
  host,
  listen,
  ok,
  proxyFor,
  rawClient,
  requestsIn,
  responseOf,
  tableTo,
} from './harness.ts';

const smuggled = `GET /admin HTTP/1.1\r\nHost: ${host}\r\n\r\n\r\n`;
const chunkedBody = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
const request = (method: string, path: string, ...more: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...more, '', ''].join('\r\n');

describe('wire: framing', () => {
  afterEach(cleanUp);

  for (const method of ['DELETE', 'OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'PURGE']) {
    it(`B-03: ${method} with a chunked body is one request to a keep-alive backend, its body whole`, async () => {
      const backend = await answering(ok);
      const proxy = await proxyFor(tableTo(backend.port));
      const client = rawClient(proxy.port);
      client.send(request(method, '/items/1', 'Transfer-Encoding: chunked') + chunkedBody);
      await client.until((bytes) => responseOf(bytes) !== undefined);
      client.send(request('GET', '/after'));
      await client.until((bytes) => bytes.split('200 OK').length === 3);
      const seen = backend.received.flatMap(requestsIn);
      assert.deepEqual(
        seen.map(({ line, body }) => [line, body]),
        [
          [`${method} /items/1 HTTP/1.1`, smuggled],
          ['GET /after HTTP/1.1', ''],
        ],
      );
    });
  }

  it('B-03: HEAD with a chunked body is one request', async () => {
    const backend = await answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n');
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(request('HEAD', '/items/1', 'Transfer-Encoding: chunked') + chunkedBody);
    await client.until((bytes) => bytes.endsWith('\r\n\r\n'));
    const seen = backend.received.flatMap(requestsIn);
    assert.deepEqual(
      seen.map(({ line, body }) => [line, body]),
      [['HEAD /items/1 HTTP/1.1', smuggled]],
    );
  });

  for (const method of ['POST', 'PUT', 'PATCH']) {
    it(`sends Content-Length: 0 for a ${method} whose chunked body is empty, as cloudflared sends it`, async () => {
      const backend = await answering(ok);
      const proxy = await proxyFor(tableTo(backend.port));
      const response = await exchange(proxy.port, `${request(method, '/', 'Transfer-Encoding: chunked')}0\r\n\r\n`);
      assert.equal(response.status, 200);
      const [seen] = requestsIn(backend.received[0] ?? '');
      assert.deepEqual(fieldValues(seen?.fields ?? [], 'content-length'), ['0']);
      assert.deepEqual(fieldValues(seen?.fields ?? [], 'transfer-encoding'), []);
    });
  }

  it('sends Content-Length: 0 also where the end of the body comes later', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(request('POST', '/', 'Transfer-Encoding: chunked'));
    await new Promise((resolve) => setTimeout(resolve, 30));
    client.send('0\r\n\r\n');
    await client.until((bytes) => responseOf(bytes) !== undefined);
    const [seen] = requestsIn(backend.received[0] ?? '');
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'content-length'), ['0']);
  });

  it('gives a GET without a body no length', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    await exchange(proxy.port, request('GET', '/'));
    assert.doesNotMatch(backend.received[0] ?? '', /content-length|transfer-encoding/i);
  });

  it('passes a body with a length on as it is, and 5 MiB whole', async () => {
    const digest = Promise.withResolvers<string>();
    const server = createServer((req, res) => {
      const hash = createHash('sha256');
      req.on('data', (chunk: Buffer) => hash.update(chunk));
      req.on('end', () => {
        digest.resolve(`${req.headers['content-length']} ${hash.digest('hex')}`);
        res.end('ok');
      });
    });
    const port = await listen(server);
    atEnd(() => server.closeAllConnections());
    atEnd(() => void server.close());
    const proxy = await proxyFor(tableTo(port));
    const body = Buffer.alloc(5 * 1024 * 1024, 'abcdefghijk');
    const client = rawClient(proxy.port);
    client.send(request('PUT', '/big', `Content-Length: ${body.length}`));
    client.socket.write(body);
    await client.until((bytes) => responseOf(bytes) !== undefined);
    assert.equal(await digest.promise, `${body.length} ${createHash('sha256').update(body).digest('hex')}`);
  });

  it('two requests written at once are answered in their order', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(request('GET', '/one') + request('GET', '/two'));
    await client.until((bytes) => bytes.split('200 OK').length === 3);
    assert.deepEqual(
      backend.received
        .flatMap(requestsIn)
        .map(({ line }) => line)
        .toSorted(),
      ['GET /one HTTP/1.1', 'GET /two HTTP/1.1'],
    );
  });

  it('never reuses a backend connection after a request body was cut short', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    await exchange(proxy.port, request('GET', '/first'));
    const client = rawClient(proxy.port);
    client.send(`${request('POST', '/cut', 'Content-Length: 100')}short`);
    await eventually(() => backend.received.join('').includes('short'), 'the backend sees the beginning of the body');
    client.socket.destroy();
    const before = backend.received.length;
    await eventually(() => backend.sockets.some((socket) => socket.destroyed), 'the backend connection is closed');
    await exchange(proxy.port, request('GET', '/after'));
    assert.equal(backend.received.length, before + 1);
    assert.match(backend.received.at(-1) ?? '', /^GET \/after /);
  });

  it('a broken chunk in the body ends both sides with 400', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(`${request('POST', '/', 'Transfer-Encoding: chunked')}4\r\nabcd\r\n`);
    await eventually(() => backend.received.join('').includes('abcd'), 'the backend sees the first chunk');
    client.send('zz\r\n');
    const { bytes } = await client.end();
    assert.equal(responseOf(bytes)?.status, 400);
    await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
    assert.equal(requestsIn(backend.received[0] ?? '').length, 0);
  });
});
