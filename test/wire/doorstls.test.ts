import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { startProxy } from '../../src/proxy/proxy.ts';
import type { RunningProxy } from '../../src/proxy/proxy.ts';
import { certificateFiles } from '../../src/table/certificates.ts';
import type { RoutingTable } from '../../src/table/document.ts';
import { encodeTable } from '../../src/table/encode.ts';
import { packTable } from '../../src/table/pack.ts';
import { authority, issue } from '../cluster/pki/certificate.ts';
import { doorOf, freePorts, listener, named, tableWith } from './doortables.ts';
import { atEnd, cleanUp, exchange, responseOf } from './harness.ts';
import type { RawResponse } from './harness.ts';

const ca = authority('door authority');
type Files = Readonly<Record<string, string>>;

/** The files of a listener's certificate for these names. */
function certificate(id: string, ...names: string[]): Files {
  const files = certificateFiles(id, 0);
  const { certificate: pem, key } = issue(ca, { commonName: names[0] ?? 'none' }, names);
  return { [files.certificate]: pem, [files.key]: key };
}

/** A proxy on a directory with a table and certificates; `write` adds or replaces files. */
async function proxyOn(
  table: RoutingTable,
  files: Files,
): Promise<RunningProxy & { write(files: Files): Promise<unknown> }> {
  const directory = await mkdtemp(join(tmpdir(), 'doors-'));
  const write = async (texts: Files): Promise<void> => {
    for (const [name, text] of Object.entries(texts)) await writeFile(join(directory, name), text);
  };
  const packed = packTable('1.0', encodeTable(table));
  if (packed.tooLarge !== undefined) throw new Error('the table is too large');
  await write(Object.fromEntries(packed.files.map(({ name, content }) => [name, String(content)])));
  await write(files);
  const proxy = await startProxy({ listen: { host: '127.0.0.1', port: 0 }, doors: '127.0.0.1', table: directory });
  atEnd(async () => {
    await proxy.stop(100);
    await rm(directory, { recursive: true });
  });
  await proxy.reload();
  return {
    ...proxy,
    async write(texts) {
      await write(texts);
      await proxy.reload();
    },
  };
}

function handshake(port: number, servername: string, ALPNProtocols: string[] = []): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: '127.0.0.1',
      port: doorOf(port),
      ca: ca.certificate,
      ALPNProtocols,
      ...(servername === '' ? { checkServerIdentity: () => undefined } : { servername }),
    });
    atEnd(() => void socket.destroy());
    socket.once('secureConnect', () => resolve(socket)).once('error', reject);
  });
}

async function tlsGet(port: number, servername: string, host: string, ...lines: string[]): Promise<RawResponse> {
  const socket = await handshake(port, servername);
  let bytes = '';
  socket.setEncoding('latin1').write(['GET /x HTTP/1.1', `Host: ${host}`, ...lines, '', ''].join('\r\n'));
  for await (const chunk of socket) {
    bytes += String(chunk);
    const response = responseOf(bytes);
    if (response !== undefined) return response;
  }
  throw new Error(`no whole answer in ${bytes}`);
}

describe('wire: TLS at in-cluster doors', () => {
  afterEach(cleanUp);

  it('shows the certificate of the listener that a name belongs to, in HTTP/1.1 and HTTP/2', async () => {
    const [port = 0] = await freePorts(1);
    const [one, other] = [await named('one'), await named('other')];
    const table = tableWith(
      [listener('any', port, undefined, 'HTTPS'), listener('app', port, 'app.example.com', 'HTTPS')],
      [
        { host: 'app.example.com', via: ['ns/gw/app'], to: one.port },
        { host: '*', via: ['ns/gw/any'], to: other.port },
      ],
    );
    await proxyOn(table, {
      ...certificate('ns/gw/any', 'b.example.com', 'c.example.com'),
      ...certificate('ns/gw/app', 'app.example.com'),
    });
    assert.equal((await tlsGet(port, 'app.example.com', 'app.example.com')).body, 'one');
    assert.equal((await tlsGet(port, 'b.example.com', 'b.example.com')).body, 'other');
    assert.equal((await tlsGet(port, '', 'b.example.com')).body, 'other');
    await assert.rejects(handshake(port, 'd.example.com'), /Hostname\/IP does not match/);
    const socket = await handshake(port, 'app.example.com', ['h2', 'http/1.1']);
    assert.equal(socket.alpnProtocol, 'h2');
    const client = connectHttp2('https://app.example.com', { createConnection: () => socket });
    atEnd(() => client.destroy());
    const stream = client.request({ ':path': '/x' });
    const chunks = await stream.setEncoding('utf8').toArray();
    assert.equal(chunks.join(''), 'one');
  });

  it('misdirects a request for a host that another listener owns, and does not find one that nobody owns', async () => {
    const [port = 0] = await freePorts(1);
    const backend = await named('ok');
    const table = tableWith(
      [listener('a', port, 'a.example.com', 'HTTPS'), listener('b', port, '*.b.example.com', 'HTTPS')],
      [
        { host: 'a.example.com', via: ['ns/gw/a'], to: backend.port },
        { host: '*.b.example.com', via: ['ns/gw/b'], to: backend.port },
      ],
    );
    await proxyOn(table, {
      ...certificate('ns/gw/a', 'a.example.com'),
      ...certificate('ns/gw/b', 'x.b.example.com'),
    });
    const statuses = await Promise.all(
      ['a.example.com', 'x.b.example.com', 'c.example.com'].map(
        async (host) => (await tlsGet(port, 'a.example.com', host)).status,
      ),
    );
    assert.deepEqual(statuses, [200, 421, 404]);
    assert.equal((await tlsGet(port, 'x.b.example.com', 'y.b.example.com')).status, 200);
  });

  it('fails the handshake of a name without a certificate, serves the others, and takes over what comes', async () => {
    const [port = 0] = await freePorts(1);
    const backend = await named('ok');
    const table = tableWith(
      [listener('a', port, 'a.example.com', 'HTTPS'), listener('b', port, 'b.example.com', 'HTTPS')],
      [
        { host: 'a.example.com', via: ['ns/gw/a'], to: backend.port },
        { host: 'b.example.com', via: ['ns/gw/b'], to: backend.port },
      ],
    );
    const proxy = await proxyOn(table, certificate('ns/gw/a', 'a.example.com'));
    await assert.rejects(handshake(port, 'b.example.com'));
    await assert.rejects(handshake(port, 'other.example.com'));
    assert.equal((await tlsGet(port, 'a.example.com', 'a.example.com')).body, 'ok');
    const broken = certificateFiles('ns/gw/b', 0);
    await proxy.write({ [broken.certificate]: 'no certificate', [broken.key]: 'no key' });
    await assert.rejects(handshake(port, 'b.example.com'));
    assert.equal((await tlsGet(port, 'a.example.com', 'a.example.com')).body, 'ok');
    await proxy.write(certificate('ns/gw/b', 'b.example.com'));
    assert.equal((await tlsGet(port, 'b.example.com', 'b.example.com')).body, 'ok');
  });

  it('knows nothing at an HTTPS port for who speaks plainly, and redirects to https there', async () => {
    const [port = 0] = await freePorts(1);
    const table = tableWith(
      [listener('a', port, 'a.example.com', 'HTTPS')],
      [
        {
          host: 'a.example.com',
          via: ['ns/gw/a'],
          filters: [{ type: 'RequestRedirect', statusCode: 302, atTunnel: { scheme: 'http' } }],
        },
      ],
    );
    await proxyOn(table, certificate('ns/gw/a', 'a.example.com'));
    const plain = await exchange(doorOf(port), 'GET /x HTTP/1.1\r\nHost: a.example.com\r\n\r\n');
    assert.equal(plain.status, 404);
    const { fields } = await tlsGet(port, 'a.example.com', 'a.example.com');
    assert.ok(fields.includes(`Location: https://a.example.com:${port}/x`), fields.join());
  });
});
