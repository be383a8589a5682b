import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programsOf } from './build/programs.ts';
import { attempt } from './command.ts';
import { until } from './launch.ts';

const token = Buffer.from(
  JSON.stringify({ a: 'account', t: '0b6e5ff2-8f3c-4a4e-9b2f-0d6f6c2d9c11', s: 'c2VjcmV0' }),
).toString('base64');

async function freePort(): Promise<number> {
  const server = createTcpServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe('the connector that stands in for cloudflared', function () {
  this.timeout(120_000);
  let folder: string;
  let program: string;
  let origin: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let connector: ChildProcess;
  let [metrics, edge] = [0, 0];

  /** The arguments a data plane's pod gives it. */
  const args = (grace = '30s', file = join(folder, 'token')): string[] =>
    [
      `tunnel --no-autoupdate --no-prechecks --protocol http2 --metrics 127.0.0.1:${metrics}`,
      `--grace-period ${grace} --management-diagnostics=false run --token-file ${file}`,
    ].flatMap((line) => line.split(' '));

  const start = async (grace?: string): Promise<void> => {
    [metrics, edge] = [await freePort(), await freePort()];
    const { port } = origin.address() as AddressInfo;
    const env = { ...process.env, CONNECTOR_EDGE: `127.0.0.1:${edge}`, CONNECTOR_ORIGIN: `http://127.0.0.1:${port}` };
    connector = spawn(program, args(grace), { env, stdio: 'ignore' });
    await until(async () => (await ready()).status === 200, { what: 'the connector', limit: 10 });
  };
  const ready = (): Promise<Response> => fetch(`http://127.0.0.1:${metrics}/ready`);

  before(async () => {
    program = join(await programsOf('connector', () => {}), 'cloudflared');
    folder = mkdtempSync(join(tmpdir(), 'connector-'));
    writeFileSync(join(folder, 'token'), `${token}\n`);
    origin = createServer((request, response) => answer(request, response));
    await once(origin.listen(0, '127.0.0.1'), 'listening');
  });

  after(() => {
    origin.close();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(() => void connector?.kill('SIGKILL'));

  it('is ready with four connections and counts what it carries', async () => {
    answer = (request, response) =>
      response.end(request.headers['cf-warp-tag-id'] === undefined ? 'no tag' : 'carried');
    await start();
    const state = (await (await ready()).json()) as { readyConnections: number };
    assert.equal(state.readyConnections, 4);
    assert.equal(await (await fetch(`http://127.0.0.1:${edge}/`)).text(), 'carried');
    const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    assert.match(text, /^cloudflared_tunnel_ha_connections 4$/m);
    assert.match(text, /^cloudflared_tunnel_response_by_code\{status_code="200"\} 1$/m);
    const asked = await attempt(program, ['tunnel', '--metrics', `127.0.0.1:${metrics}`, 'ready']);
    assert.equal(asked.code, 0);
  });

  it('ends with 255 where the token is missing or no token', async () => {
    for (const content of ['', 'not base64!', Buffer.from('{"t":"no uuid"}').toString('base64')]) {
      const file = join(folder, 'bad');
      writeFileSync(file, content);
      assert.equal((await attempt(program, args('1s', file))).code, 255, content);
    }
    assert.equal((await attempt(program, args('1s', join(folder, 'absent')))).code, 255);
  });

  it('refuses arguments the real one does not know', async () => {
    assert.equal((await attempt(program, ['tunnel', '--metric', 'x', 'run'])).code, 1);
    assert.equal((await attempt(program, args('4m'))).code, 1);
  });

  it('sends an empty POST chunked and answers 502 where there is no origin', async () => {
    answer = (request, response) => response.end(request.headers['transfer-encoding'] ?? 'none');
    await start();
    assert.equal(await (await fetch(`http://127.0.0.1:${edge}/`, { method: 'POST' })).text(), 'chunked');
    const socket = connectHttp2(`http://127.0.0.1:${edge}`);
    const stream = socket.request({ ':method': 'POST', ':path': '/' });
    stream.end();
    assert.equal((await stream.setEncoding('utf8').toArray()).join(''), 'chunked');
    socket.close();
    answer = (request) => request.socket.destroy();
    assert.equal((await fetch(`http://127.0.0.1:${edge}/`)).status, 502);
  });

  it('passes trailers and bytes as they come, and ties WebSocket connections together', async () => {
    answer = (_, response) => {
      response.writeHead(200, { trailer: 'grpc-status', 'content-type': 'application/grpc' });
      response.write('x');
      response.addTrailers({ 'grpc-status': '0' });
      response.end();
    };
    await start();
    const session = connectHttp2(`http://127.0.0.1:${edge}`);
    const stream = session.request({ ':path': '/' });
    const trailers = once(stream, 'trailers');
    stream.resume();
    assert.equal(((await trailers) as [Record<string, string>])[0]['grpc-status'], '0');
    session.close();

    origin.once('upgrade', (_request, far) => {
      far.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      far.on('data', (chunk: Buffer) => far.write(`heard ${chunk.toString()}`));
    });
    const near = connect(edge, '127.0.0.1').setEncoding('utf8');
    near.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const [head] = (await once(near, 'data')) as [string];
    assert.match(head, /^HTTP\/1\.1 101 /);
    near.write('this');
    assert.equal(((await once(near, 'data')) as [string])[0], 'heard this');
    near.destroy();
  });

  it('is not ready once it was asked to end, and ends when the last stream has', async () => {
    let finish = (): void => {};
    answer = (_, response) => {
      response.write('begun ');
      finish = () => response.end('done');
    };
    await start();
    const response = await fetch(`http://127.0.0.1:${edge}/`);
    connector.kill('SIGTERM');
    await until(async () => (await ready()).status === 503, { what: 'the end of readiness', limit: 10 });
    assert.equal(connector.exitCode, null);
    const ended = once(connector, 'exit');
    finish();
    assert.equal(await response.text(), 'begun done');
    assert.deepEqual(await ended, [0, null]);
  });

  it('cuts what is still going on when the grace period is over', async () => {
    answer = (_, response) => response.write('for ever ');
    await start('600ms');
    const response = await fetch(`http://127.0.0.1:${edge}/`);
    const ended = once(connector, 'exit');
    connector.kill('SIGTERM');
    await assert.rejects(response.text());
    assert.deepEqual(await ended, [0, null]);
  });
});
