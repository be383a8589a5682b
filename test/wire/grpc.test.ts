import assert from 'node:assert/strict';
import { createServer } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import * as grpc from '@grpc/grpc-js';
import {
  atEnd,
  cleanUp,
  eventually,
  exchange,
  fieldValues,
  get,
  host,
  listen,
  proxyFor,
  rawClient,
  responseOf,
  tableTo,
} from './harness.ts';
import type { RawClient, TestProxy } from './harness.ts';

const asIs = (value: Buffer): Buffer => value;
const shape = {
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
  originalName: '',
};
const service = {
  Unary: { ...shape, path: '/demo.Echo/Unary', requestStream: false, responseStream: false },
  Fail: { ...shape, path: '/demo.Echo/Fail', requestStream: false, responseStream: false },
  Server: { ...shape, path: '/demo.Echo/Server', requestStream: false, responseStream: true },
  Bidi: { ...shape, path: '/demo.Echo/Bidi', requestStream: true, responseStream: true },
} as const;

type Unary = grpc.handleUnaryCall<Buffer, Buffer>;

async function grpcServer(): Promise<{ port: number; cancelled: () => number; seen: grpc.Metadata[] }> {
  const server = new grpc.Server();
  const seen: grpc.Metadata[] = [];
  let cancelled = 0;
  const unary: Unary = (call, done) => {
    seen.push(call.metadata);
    const initial = new grpc.Metadata();
    initial.set('x-initial', '1');
    call.sendMetadata(initial);
    const trailing = new grpc.Metadata();
    trailing.set('x-trailing', '2');
    done(null, call.request, trailing);
  };
  const fail: Unary = (_call, done) => done({ code: grpc.status.NOT_FOUND, details: 'not here' });
  const stream: grpc.handleServerStreamingCall<Buffer, Buffer> = (call) => {
    call.on('cancelled', () => (cancelled += 1));
    call.write(Buffer.from('a'));
    if (call.request.toString() !== 'hold') {
      call.write(Buffer.from('b'));
      call.end();
    }
  };
  const bidi: grpc.handleBidiStreamingCall<Buffer, Buffer> = (call) => {
    call.on('data', (data: Buffer) => call.write(data));
    call.on('end', () => call.end());
    call.on('error', () => {});
    call.on('cancelled', () => (cancelled += 1));
  };
  server.addService(service, { Unary: unary, Fail: fail, Server: stream, Bidi: bidi });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  atEnd(() => server.forceShutdown());
  return { port, cancelled: () => cancelled, seen };
}

/** A gRPC message in its frame. */
function framed(text: string): string {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(text.length, 1);
  return `${head.toString('latin1')}${text}`;
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** The head of a call as cloudflared writes it: chunked HTTP/1.1. */
function callHead(method: string, ...lines: readonly string[]): string {
  const fields = [
    'Content-Type: application/grpc',
    'TE: trailers',
    'Transfer-Encoding: chunked',
    'Grpc-Timeout: 10S',
    ...lines,
  ];
  return [`POST /demo.Echo/${method} HTTP/1.1`, `Host: ${host}`, ...fields, '', ''].join('\r\n');
}

async function finished(client: RawClient): Promise<{ bytes: string; trailers: string[]; body: string | undefined }> {
  const bytes = await client.until((soFar) => responseOf(soFar) !== undefined);
  const trailers = bytes
    .slice(bytes.lastIndexOf('\r\n0\r\n') + 5)
    .split('\r\n')
    .filter((line) => line !== '');
  return { bytes, trailers, body: responseOf(bytes)?.body };
}

async function call(
  proxy: TestProxy,
  method: string,
  message: string,
): Promise<{ bytes: string; trailers: string[]; body: string | undefined }> {
  const client = rawClient(proxy.port);
  client.send(`${callHead(method)}${chunk(framed(message))}0\r\n\r\n`);
  return finished(client);
}

describe('wire: gRPC over chunked HTTP/1.1 to an h2c backend', () => {
  afterEach(cleanUp);

  it('unary: message, initial metadata and trailing metadata', async () => {
    const server = await grpcServer();
    const proxy = await proxyFor(tableTo(server.port, { protocol: 'h2c' }));
    const { bytes, body, trailers } = await call(proxy, 'Unary', 'hello');
    assert.equal(body, framed('hello'));
    assert.deepEqual(fieldValues(bytes.split('\r\n'), 'x-initial'), ['1']);
    assert.deepEqual(fieldValues(trailers, 'grpc-status'), ['0']);
    assert.deepEqual(fieldValues(trailers, 'x-trailing'), ['2']);
    assert.equal(server.seen[0]?.get('x-forwarded-for')[0], '127.0.0.1');
  });

  it('an error status is the backend\u2019s own', async () => {
    const server = await grpcServer();
    const proxy = await proxyFor(tableTo(server.port, { protocol: 'h2c' }));
    const { bytes } = await call(proxy, 'Fail', 'x');
    assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n/);
    assert.deepEqual(fieldValues(bytes.split('\r\n'), 'grpc-status'), ['5']);
    assert.deepEqual(fieldValues(bytes.split('\r\n'), 'grpc-message'), ['not%20here']);
  });

  it('server streaming', async () => {
    const server = await grpcServer();
    const proxy = await proxyFor(tableTo(server.port, { protocol: 'h2c' }));
    const { body, trailers } = await call(proxy, 'Server', 'x');
    assert.equal(body, framed('a') + framed('b'));
    assert.deepEqual(fieldValues(trailers, 'grpc-status'), ['0']);
  });

  it('bidirectional streaming in full duplex, with half close', async () => {
    const server = await grpcServer();
    const proxy = await proxyFor(tableTo(server.port, { protocol: 'h2c' }));
    const client = rawClient(proxy.port);
    client.send(callHead('Bidi'));
    for (const text of ['one', 'two', 'three']) {
      client.send(chunk(framed(text)));
      await client.until((bytes) => bytes.includes(text));
    }
    client.send('0\r\n\r\n');
    const { trailers } = await finished(client);
    assert.deepEqual(fieldValues(trailers, 'grpc-status'), ['0']);
  });

  it('a client that goes away cancels the call', async () => {
    const server = await grpcServer();
    const proxy = await proxyFor(tableTo(server.port, { protocol: 'h2c' }));
    const client = rawClient(proxy.port);
    client.send(`${callHead('Server')}${chunk(framed('hold'))}0\r\n\r\n`);
    await client.until((bytes) => bytes.includes(framed('a')));
    client.socket.destroy();
    await eventually(() => server.cancelled() === 1, 'the server sees the cancel');
  });

  it('many calls share one connection', async () => {
    const server = await grpcServer();
    const proxy = await proxyFor(tableTo(server.port, { protocol: 'h2c' }));
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) => call(proxy, 'Unary', `message ${index}`)),
    );
    for (const [index, { body }] of results.entries()) assert.equal(body, framed(`message ${index}`));
  });

  it('a server that cannot be reached is UNAVAILABLE', async () => {
    const proxy = await proxyFor(tableTo(1, { protocol: 'h2c' }));
    const { trailers } = await call(proxy, 'Unary', 'x');
    assert.deepEqual(fieldValues(trailers, 'Grpc-Status'), ['14']);
  });
});

type Handler = (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void;

async function h2Backend(handle: Handler): Promise<{ port: number; sessions: () => number }> {
  const server = createServer();
  let sessions = 0;
  server.on('session', (session) => {
    sessions += 1;
    session.on('error', () => {});
    atEnd(() => session.destroy());
  });
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {});
    handle(stream, headers);
  });
  const port = await listen(server);
  atEnd(() => void server.close());
  return { port, sessions: () => sessions };
}

describe('wire: h2c backends', () => {
  afterEach(cleanUp);

  it('a plain request: fields, host, path and answer', async () => {
    const seen = Promise.withResolvers<Record<string, unknown>>();
    const backend = await h2Backend((stream, headers) => {
      seen.resolve(headers);
      stream.respond({ ':status': 201, 'x-answer': '1', 'set-cookie': ['a=1', 'b=2'] });
      stream.end('body');
    });
    const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }));
    const response = await exchange(proxy.port, get('/p?q=%2F', 'X-Asked: 1', 'Connection: X-Gone', 'X-Gone: 1'));
    const headers = await seen.promise;
    assert.equal(headers[':path'], '/p?q=%2F');
    assert.equal(headers[':authority'], host);
    assert.equal(headers['x-asked'], '1');
    assert.equal(headers['x-gone'], undefined);
    assert.equal(headers['connection'], undefined);
    assert.equal(response.status, 201);
    assert.equal(response.body, 'body');
    assert.deepEqual(fieldValues(response.fields, 'set-cookie'), ['a=1', 'b=2']);
  });

  it('request trailers reach the backend', async () => {
    const seen = Promise.withResolvers<unknown>();
    const backend = await h2Backend((stream) => {
      stream.on('trailers', (trailers) => seen.resolve(trailers['x-sum']));
      stream.resume();
      stream.on('end', () => {
        stream.respond({ ':status': 200 });
        stream.end();
      });
    });
    const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }));
    const client = rawClient(proxy.port);
    client.send(
      `POST / HTTP/1.1\r\nHost: ${host}\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Sum: 7\r\n\r\n`,
    );
    await client.until((bytes) => responseOf(bytes) !== undefined);
    assert.equal(await seen.promise, '7');
  });

  for (const [name, code] of [
    ['NO_ERROR', 0],
    ['INTERNAL_ERROR', 2],
    ['CANCEL', 8],
  ] as const) {
    it(`a reset with ${name} before the head is 502`, async () => {
      const backend = await h2Backend((stream) => stream.close(code));
      const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }));
      assert.equal((await exchange(proxy.port, get('/'))).status, 502);
    });
  }

  for (const [name, error] of [
    ['INTERNAL_ERROR', new Error('broken')],
    ['NO_ERROR and a length', undefined],
  ] as const) {
    it(`a reset with ${name} in the middle of a body is an aborted response`, async () => {
      // `close(code)` would end the stream cleanly first; only `destroy` resets it.
      const backend = await h2Backend((stream) => {
        stream.respond({ ':status': 200, ...(error ? {} : { 'content-length': 8 }) });
        stream.write('half', () => setTimeout(() => stream.destroy(error), 20));
      });
      const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }));
      const client = rawClient(proxy.port);
      client.send(get('/'));
      assert.equal((await client.end()).how, 'reset');
    });
  }

  it('a connection that breaks in the middle of a body is an aborted response', async () => {
    const backend = await h2Backend((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('half', () => setTimeout(() => stream.session?.destroy(), 20));
    });
    const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }));
    const client = rawClient(proxy.port);
    client.send(get('/'));
    assert.equal((await client.end()).how, 'reset');
  });

  it('a GOAWAY lets what is in flight finish; the next request dials anew', async () => {
    const backend = await h2Backend((stream) => {
      stream.session?.goaway();
      setTimeout(() => {
        stream.respond({ ':status': 200 });
        stream.end('late');
      }, 50);
    });
    const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }));
    assert.equal((await exchange(proxy.port, get('/'))).body, 'late');
    assert.equal((await exchange(proxy.port, get('/'))).body, 'late');
    assert.equal(backend.sessions(), 2);
  });

  it('no head in time is 504', async () => {
    const backend = await h2Backend(() => {});
    const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c', timeouts: { request: 100 } }));
    assert.equal((await exchange(proxy.port, get('/'))).status, 504);
  });

  it('a HEAD answer and a 204 end', async () => {
    const backend = await h2Backend((stream, headers) => {
      stream.respond({ ':status': headers[':method'] === 'HEAD' ? 200 : 204 }, { endStream: true });
    });
    const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }));
    const client = rawClient(proxy.port);
    client.send(`HEAD / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await client.until((bytes) => bytes.endsWith('\r\n\r\n'));
    client.send(get('/'));
    await client.until((bytes) => bytes.includes('204'));
  });

  it('B-47: a connection past its age takes no new requests', async () => {
    const backend = await h2Backend((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('x');
    });
    const proxy = await proxyFor(tableTo(backend.port, { protocol: 'h2c' }), { engine: { connectionAgeMs: 50 } });
    await exchange(proxy.port, get('/'));
    await new Promise((resolve) => setTimeout(resolve, 80));
    assert.equal((await exchange(proxy.port, get('/'))).body, 'x');
    assert.equal(backend.sessions(), 2);
  });
});
