import assert from 'node:assert/strict';
import { connect as connectHttp2 } from 'node:http2';
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { RoutingTable, TableFilter } from '../../src/table/document.ts';
import { doorOf, freePorts, listener, named, tableWith } from './doortables.ts';
import type { TestRow } from './doortables.ts';
import {
  answering,
  atEnd,
  cleanUp,
  eventually,
  exchange,
  fieldValues,
  listen,
  proxyFor,
  rawClient,
} from './harness.ts';
import type { TestProxy } from './harness.ts';

const get = (host: string, ...lines: string[]): string =>
  ['GET /x HTTP/1.1', `Host: ${host}`, ...lines, '', ''].join('\r\n');
const bodyAt = async (port: number, host: string): Promise<string> => (await exchange(doorOf(port), get(host))).body;
const withDoors = (table: RoutingTable, more: object = {}): Promise<TestProxy> =>
  proxyFor(table, { doors: '127.0.0.1', ...more });

async function isOpen(port: number): Promise<boolean> {
  const client = rawClient(doorOf(port));
  return new Promise((resolve) => {
    client.socket.once('connect', () => resolve(true));
    client.socket.once('error', () => resolve(false));
  });
}

interface Answer {
  readonly fields: IncomingHttpHeaders & { readonly ':status'?: number };
  readonly trailers: IncomingHttpHeaders;
  readonly body: string;
}

function session(port: number): ClientHttp2Session {
  const client = connectHttp2(`http://127.0.0.1:${doorOf(port)}`);
  client.on('error', () => {});
  atEnd(() => client.destroy());
  return client;
}

function ask(client: ClientHttp2Session, fields: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = client.request({ ':path': '/x', ...fields }, { endStream: body === undefined });
    const answer = { fields: {}, trailers: {}, body: '' };
    stream.on('response', (head) => (answer.fields = head));
    stream.on('trailers', (trailers) => (answer.trailers = trailers));
    stream.on('data', (chunk: Buffer) => (answer.body += chunk.toString()));
    stream.on('error', reject);
    stream.on('end', () => resolve(answer));
    if (body !== undefined) stream.end(body);
  });
}

describe('wire: in-cluster doors', () => {
  afterEach(cleanUp);

  it('sends one host on two ports to different backends; only the listeners of the port are there', async () => {
    const [low = 0, high = 0] = await freePorts(2);
    const [one, other] = [await named('one'), await named('other')];
    const table = tableWith(
      [listener('low', low), listener('high', high, '*.example.com')],
      [
        { host: 'app.example.com', via: ['ns/gw/low'], to: one.port },
        { host: 'app.example.com', via: ['ns/gw/high'], to: other.port },
        { host: '*', via: ['ns/gw/low'], to: one.port },
      ],
    );
    await withDoors(table);
    assert.equal(await bodyAt(low, 'app.example.com'), 'one');
    assert.equal(await bodyAt(high, 'app.example.com'), 'other');
    assert.equal(await bodyAt(low, 'b.example.com'), 'one');
    assert.equal((await exchange(doorOf(high), get('b.example.com'))).status, 404);
    assert.equal((await exchange(doorOf(high), get('b.example.net'))).status, 404);
  });

  it('redirects to its own scheme and the port of the listener, unless the filter names one of them', async () => {
    const [port = 0] = await freePorts(1);
    const redirect = (rest: { scheme?: 'https'; port?: number }): TableFilter => ({
      type: 'RequestRedirect',
      statusCode: 302,
      atTunnel: { scheme: 'https' },
      ...rest,
    });
    const rows = [
      { host: 'same.example.com', filters: [redirect({})] },
      { host: 'tls.example.com', filters: [redirect({ scheme: 'https' })] },
      { host: 'port.example.com', filters: [redirect({ port: 8083 })] },
      { host: 'eighty.example.com', filters: [redirect({ port: 80 })] },
    ];
    await withDoors(
      tableWith(
        [listener('l', port)],
        rows.map((row) => ({ ...row, via: ['ns/gw/l'] })),
      ),
    );
    const locations = await Promise.all(
      rows.map(
        async ({ host }) => fieldValues((await exchange(doorOf(port), get(`${host}:99`))).fields, 'location')[0],
      ),
    );
    assert.deepEqual(locations, [
      `http://same.example.com:${port}/x`,
      'https://tls.example.com/x',
      'http://port.example.com:8083/x',
      'http://eighty.example.com/x',
    ]);
  });

  it('replaces forwarding fields, but keeps those of a trusted peer', async () => {
    const [port = 0] = await freePorts(1);
    const backend = await named('ok');
    const table = tableWith([listener('l', port)], [{ host: '*', via: ['ns/gw/l'], to: backend.port }]);
    const lies = [
      'X-Forwarded-For: 203.0.113.7',
      'X-Forwarded-Proto: https',
      'Forwarded: for=a',
      'X-Forwarded-Host: b',
    ];
    const seen = async (): Promise<Record<string, string[]>> => {
      await exchange(doorOf(port), get('app.example.com', ...lies));
      const lines = backend.received.at(-1)?.split('\r\n') ?? [];
      const names = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'forwarded'];
      return Object.fromEntries(names.map((name) => [name, fieldValues(lines, name)]));
    };
    const proxy = await withDoors(table);
    assert.deepEqual(await seen(), {
      'x-forwarded-for': ['127.0.0.1'],
      'x-forwarded-host': ['app.example.com'],
      'x-forwarded-proto': ['http'],
      'x-forwarded-port': [String(port)],
      forwarded: [],
    });
    await proxy.stop(100);
    await withDoors(table, { trustedPeers: ['127.0.0.0/8'] });
    const { forwarded, 'x-forwarded-for': chain, 'x-forwarded-proto': proto } = await seen();
    assert.deepEqual([forwarded, chain, proto], [['for=a'], ['203.0.113.7, 127.0.0.1'], ['https']]);
  });

  it('has limits of its own', async () => {
    const [port = 0] = await freePorts(1);
    const proxy = await withDoors(tableWith([listener('l', port)], []));
    const long = get('a', `X-Long: ${'x'.repeat(17 * 1024)}`);
    const many = get('a', ...Array.from({ length: 101 }, (_, index) => `X-${index}: 1`));
    const target = get('a').replace('/x', `/${'x'.repeat(9 * 1024)}`);
    const statuses = async (at: number): Promise<number[]> =>
      Promise.all([long, many, target].map(async (request) => (await exchange(at, request)).status));
    assert.deepEqual(await statuses(doorOf(port)), [431, 431, 414]);
    assert.deepEqual(await statuses(proxy.port), [404, 404, 404]);
  });

  it('opens and closes doors with the table, and lets what is in flight finish', async () => {
    const [stays = 0, goes = 0, comes = 0] = await freePorts(3);
    let answer = (): void => {};
    const slow = await answering('');
    const backend = await named('ok');
    const rows = (ports: readonly number[]): TestRow[] => [
      { host: '*', via: ports.map((port) => `ns/gw/l${port}`), to: backend.port },
    ];
    const at = (...ports: number[]): RoutingTable =>
      tableWith(
        ports.map((port) => listener(`l${port}`, port)),
        rows(ports),
      );
    const proxy = await withDoors(
      tableWith(
        [listener(`l${stays}`, stays), listener(`l${goes}`, goes)],
        [{ host: '*', via: [`ns/gw/l${stays}`, `ns/gw/l${goes}`], to: slow.port }],
      ),
    );
    const [kept, busy, idle] = [rawClient(doorOf(stays)), rawClient(doorOf(goes)), rawClient(doorOf(goes))];
    busy.send(get('a'));
    await eventually(() => slow.received.some((bytes) => bytes.includes('GET')), 'the backend is asked');
    answer = () => void slow.sockets[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow');
    await proxy.load(at(stays, comes));
    assert.deepEqual([await isOpen(stays), await isOpen(goes), await isOpen(comes)], [true, false, true]);
    await idle.end();
    answer();
    const { bytes } = await busy.end();
    assert.match(bytes, /slow$/);
    kept.send(get('a'));
    await kept.until((soFar) => soFar.endsWith('ok'));
    assert.equal(await bodyAt(comes, 'a'), 'ok');
  });

  it('tries a port again that somebody holds', async () => {
    const [port = 0] = await freePorts(1);
    const holder = createNetServer().listen(doorOf(port), '127.0.0.1');
    const backend = await named('ok');
    await withDoors(tableWith([listener('l', port)], [{ host: '*', via: ['ns/gw/l'], to: backend.port }]));
    await new Promise((resolve) => holder.close(resolve));
    await eventually(() => isOpen(port), 'the door is open');
    assert.equal(await bodyAt(port, 'a'), 'ok');
  });

  it('speaks HTTP/2 with prior knowledge on the same port, many streams at once', async () => {
    const [port = 0] = await freePorts(1);
    const backend = await named('ok');
    await withDoors(tableWith([listener('l', port)], [{ host: 'a.example.com', via: ['ns/gw/l'], to: backend.port }]));
    const client = session(port);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        ask(client, { ':authority': 'a.example.com', ':method': 'POST', cookie: 'a=1' }, 'hello'),
      ),
    );
    assert.deepEqual(
      answers.map(({ fields, body }) => [fields[':status'], body]),
      answers.map(() => [200, 'ok']),
    );
    const [seen = ''] = backend.received;
    assert.match(seen, /^POST \/x HTTP\/1\.1\r\n/);
    assert.match(seen, /\r\nhost: a\.example\.com\r\n/i);
    assert.match(seen, /hello/);
    assert.equal((await ask(client, { ':authority': 'b.example.com' })).fields[':status'], 404);
    assert.equal((await ask(client, { ':authority': 'a.example.com', ':method': 'HEAD' })).body, '');
    assert.equal((await ask(client, { ':authority': 'a.example.com', ':path': '/%00' })).fields[':status'], 400);
    assert.equal(await bodyAt(port, 'a.example.com'), 'ok');
  });

  it('answers gRPC in gRPC, and the trailers of a backend', async () => {
    const [port = 0] = await freePorts(1);
    const backend = await answering(
      'HTTP/1.1 200 OK\r\nContent-Type: application/grpc\r\nTrailer: grpc-status\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\ngrpc-status: 7\r\n\r\n',
    );
    await withDoors(tableWith([listener('l', port)], [{ host: 'a.example.com', via: ['ns/gw/l'], to: backend.port }]));
    const client = session(port);
    const call = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
    const answered = await ask(client, { ...call, ':authority': 'a.example.com' }, 'x');
    assert.deepEqual([answered.body, answered.trailers['grpc-status']], ['ok', '7']);
    const missed = await ask(client, { ...call, ':authority': 'b.example.com' }, 'x');
    assert.deepEqual([missed.fields[':status'], missed.trailers['grpc-status']], [200, '12']);
  });

  it('carries large bodies both ways over HTTP/2, no faster than they are taken', async () => {
    const [port = 0] = await freePorts(1);
    const echo = createHttpServer((req, res) => void req.pipe(res));
    const to = await listen(echo);
    atEnd(() => void echo.close());
    await withDoors(tableWith([listener('l', port)], [{ host: '*', via: ['ns/gw/l'], to }]));
    const body = 'x'.repeat(5 * 1024 * 1024);
    const answered = await ask(session(port), { ':authority': 'a', ':method': 'POST' }, body);
    assert.equal(answered.body.length, body.length);
  });

  it('carries WebSockets', async () => {
    const [port = 0] = await freePorts(1);
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    atEnd(() => {
      server.close();
    });
    server.on('connection', (peer) => peer.on('message', (data) => peer.send(data)));
    const { port: to } = server.address() as AddressInfo;
    const table = tableWith([listener('l', port)], [{ host: '*', via: ['ns/gw/l'], to }]);
    const backends = { [`b${to}`]: { host: '127.0.0.1', port: to, protocol: 'http1', websocket: true } } as const;
    await withDoors({ ...table, backends });
    const client = new WebSocket(`ws://127.0.0.1:${doorOf(port)}/x`);
    atEnd(() => client.terminate());
    await once(client, 'open');
    client.send('hello');
    const [data] = (await once(client, 'message')) as [Buffer];
    assert.equal(data.toString(), 'hello');
  });
});
