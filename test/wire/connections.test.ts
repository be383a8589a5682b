import assert from 'node:assert/strict';
import {
  answering,
  cleanUp,
  eventually,
  exchange,
  fieldValues,
  get,
  host,
  ok,
  proxyFor,
  rawBackend,
  rawClient,
  responseOf,
  tableTo,
} from './harness.ts';

describe('wire: connections of the tunnel door', () => {
  afterEach(cleanUp);

  it('B-13: an idle connection is never closed first, whether used before or not', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port), { headMs: 100 });
    const [used, fresh] = [rawClient(proxy.port), rawClient(proxy.port)];
    used.send(get('/'));
    await used.until((bytes) => responseOf(bytes) !== undefined);
    // Node's default would close after 5 s of idleness; what is ours to close by would have run out ten times over.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const [client, count] of [
      [used, 2],
      [fresh, 1],
    ] as const) {
      client.send(get('/'));
      await client.until((bytes) => bytes.split('200 OK').length === count + 1);
    }
  });

  it('announces no keep-alive timeout', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    const { fields } = await exchange(proxy.port, get('/'));
    assert.deepEqual(fieldValues(fields, 'keep-alive'), []);
  });

  it('a head that has begun and does not end in time is 408', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port), { headMs: 100 });
    const [first, second] = [rawClient(proxy.port), rawClient(proxy.port)];
    first.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n`);
    second.send(get('/'));
    await second.until((bytes) => responseOf(bytes) !== undefined);
    await new Promise((resolve) => setTimeout(resolve, 150));
    second.send('GET /late');
    for (const client of [first, second]) assert.match((await client.end()).bytes, /HTTP\/1\.1 408 /);
  });

  it('a slow answer or a slow body is no slow head', async () => {
    const backend = await rawBackend((socket, soFar) => {
      if (soFar.includes('slow')) setTimeout(() => socket.write(ok), 400);
      else if (soFar.endsWith('end')) socket.write(ok);
    });
    const proxy = await proxyFor(tableTo(backend.port), { headMs: 100 });
    assert.equal((await exchange(proxy.port, get('/slow'))).status, 200);
    const client = rawClient(proxy.port);
    client.send(`POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 8\r\n\r\nbegin`);
    await new Promise((resolve) => setTimeout(resolve, 400));
    client.send('end');
    await client.until((bytes) => responseOf(bytes)?.status === 200);
  });

  it('serves 300 connections at once', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    const clients = Array.from({ length: 300 }, () => rawClient(proxy.port));
    for (const client of clients) client.send(get('/'));
    await Promise.all(clients.map((client) => client.until((bytes) => responseOf(bytes)?.status === 200)));
  });
});

describe('wire: drain', () => {
  afterEach(cleanUp);

  const code = async (url: string): Promise<number> => (await fetch(url)).status;

  it('/drain with the right part: readiness off, answers ask to close, idle connections stay, then it ends by itself', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port), { drainPart: 'a1b2', graceMs: 300 });
    const [idle, busy] = [rawClient(proxy.port), rawClient(proxy.port)];
    idle.send(get('/'));
    await idle.until((bytes) => responseOf(bytes) !== undefined);
    assert.equal(await code(`${proxy.adminUrl}/drain/wrong`), 404);
    assert.equal(await code(`${proxy.adminUrl}/drain/`), 404);
    assert.equal(await code(`${proxy.adminUrl}/readyz`), 200);
    assert.equal(await code(`${proxy.adminUrl}/drain/a1b2`), 200);
    assert.equal(await code(`${proxy.adminUrl}/readyz`), 503);
    assert.equal(await code(`${proxy.adminUrl}/healthz`), 200);
    assert.equal(((await (await fetch(`${proxy.adminUrl}/status`)).json()) as { draining: boolean }).draining, true);
    busy.send(get('/'));
    const { bytes } = await busy.end();
    assert.deepEqual(fieldValues(responseOf(bytes)?.fields ?? [], 'connection'), ['close']);
    idle.send(get('/'));
    assert.equal((await idle.end()).bytes.split('200 OK').length, 3);
    await eventually(async () => (await code(`${proxy.adminUrl}/readyz`)) === 200, 'the drain ends');
    const again = await exchange(proxy.port, get('/'));
    assert.deepEqual(fieldValues(again.fields, 'connection'), ['keep-alive']);
  });

  it('there is no drain address without a part', async () => {
    const proxy = await proxyFor(tableTo(1));
    for (const path of ['/drain', '/drain/', '/drain/undefined'])
      assert.equal(await code(`${proxy.adminUrl}${path}`), 404, path);
  });

  for (const [kind, type, ending] of [
    ['an event stream', 'text/event-stream', /a\r\n0\r\n\r\n$/],
    ['a gRPC call', 'application/grpc', /a\r\n0\r\nGrpc-Status: 14\r\nGrpc-Message: [^\r]+\r\n\r\n$/],
  ] as const) {
    it(`${kind} that goes on is ended cleanly halfway through the grace period`, async () => {
      const backend = await rawBackend((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`),
      );
      const proxy = await proxyFor(tableTo(backend.port), { graceMs: 300 });
      const client = rawClient(proxy.port);
      client.send(get('/'));
      await client.until((bytes) => bytes.includes('a\r\n'));
      proxy.drain();
      await client.until((bytes) => ending.test(bytes));
      await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
    });
  }

  it('stop lets what is in flight finish', async () => {
    const backend = await rawBackend((socket) => setTimeout(() => socket.write(ok), 200));
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    await eventually(() => backend.received.length === 1, 'the backend is asked');
    const stopped = proxy.stop(5000);
    assert.equal(responseOf((await client.end()).bytes)?.status, 200);
    await stopped;
  });

  it('stop cuts what does not finish within the grace period', async () => {
    const backend = await rawBackend(() => {});
    const proxy = await proxyFor(tableTo(backend.port));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    await eventually(() => backend.received.length === 1, 'the backend is asked');
    await proxy.stop(100);
    await client.end();
    await eventually(() => backend.sockets.every((socket) => socket.destroyed), 'the backend connection is closed');
  });
});
