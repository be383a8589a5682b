import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { authority, issue } from './certificate.ts';

describe('the certificates of a test cluster', () => {
  const ca = authority('test authority');

  it('carry the subject, the names and the signature of their authority', () => {
    const { certificate } = issue(ca, { commonName: 'system:node:node', organization: 'system:nodes' }, [
      'kubernetes.default.svc',
      '10.99.1.2',
    ]);
    const read = new X509Certificate(certificate);
    assert.equal(read.subject, 'O=system:nodes\nCN=system:node:node');
    assert.equal(read.issuer, 'CN=test authority');
    assert.equal(read.subjectAltName, 'DNS:kubernetes.default.svc, IP Address:10.99.1.2');
    assert.ok(read.verify(new X509Certificate(ca.certificate).publicKey));
    assert.ok(!read.verify(new X509Certificate(authority('another').certificate).publicKey));
    assert.ok(!read.ca && new X509Certificate(ca.certificate).ca);
  });

  it('are accepted by both sides of a handshake', async () => {
    const { certificate: cert, key } = issue(ca, { commonName: 'server' }, ['localhost', '127.0.0.1']);
    const client = issue(ca, { commonName: 'admin', organization: 'system:masters' });
    const server = createServer({ cert, key, ca: ca.certificate, requestCert: true, rejectUnauthorized: true });
    server.on('secureConnection', (socket) => socket.end(String(socket.getPeerCertificate().subject.CN)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const socket = connect({
        port,
        host: '127.0.0.1',
        ca: ca.certificate,
        cert: client.certificate,
        key: client.key,
      });
      const answer = await socket.setEncoding('utf8').toArray();
      assert.equal(answer.join(''), 'admin');
    } finally {
      server.close();
    }
  });
});
