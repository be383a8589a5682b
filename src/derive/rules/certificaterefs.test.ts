import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { brief, derived, gateway, messageOf, ours, type World } from './testfacts.test.ts';
import { pemProblem } from './pem.ts';

const pem = (label: string, content: Uint8Array) =>
  `-----BEGIN ${label}-----\n${Buffer.from(content)
    .toString('base64')
    .replaceAll(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** An ASN.1 sequence of 300 bytes: an envelope like that of a certificate. */
const certificate = pem(
  'CERTIFICATE',
  Uint8Array.from([0x30, 0x82, 0x01, 0x2c, ...Array.from({ length: 300 }, () => 5)]),
);
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ type: 'pkcs8', format: 'pem' });

const base64 = (text: string) => Buffer.from(text).toString('base64');

function secret({ namespace = 'shop', type = 'kubernetes.io/tls', crt = certificate, tlsKey = key } = {}): string {
  return `
apiVersion: v1
kind: Secret
metadata: {name: tls, namespace: ${namespace}}
type: ${type}
data: {tls.crt: "${base64(crt)}", tls.key: "${base64(tlsKey)}"}
---
`;
}

const grant = (kind: string, group = "''") => `
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: {name: certificates, namespace: vault}
spec:
  from: [{group: gateway.networking.k8s.io, kind: Gateway, namespace: shop}]
  to: [{group: ${group}, kind: ${kind}}]
---
`;

const https = (ref: string) =>
  gateway(`listeners: [{name: https, port: 443, protocol: HTTPS, tls: {certificateRefs: [${ref}]}}]\n`);

/** ResolvedRefs of the one listener; it must serve whatever that says. */
function listener(
  yaml: string,
  world?: World,
): { resolved: string | undefined; message: string; findings: readonly string[] } {
  const { status, findings } = derived(ours + yaml, world);
  const { conditions, listeners } = status('Gateway/shop/web');
  assert.equal(brief(conditions)[0], 'Accepted=True/Accepted');
  const [first] = listeners ?? [];
  assert.equal(brief(first?.conditions)[0], 'Accepted=True/Accepted');
  assert.equal(first?.supportedKinds.length, 1);
  return {
    resolved: brief(first.conditions).find((each) => each.startsWith('ResolvedRefs')),
    message: messageOf(first.conditions, 'ResolvedRefs'),
    findings: findings(),
  };
}

describe('Certificates of a listener', () => {
  const at = 'Gateway/shop/web spec.listeners.0.tls.certificateRefs.0';

  it('resolve to a TLS Secret', () => {
    const found = listener(secret() + https('{name: tls}'));
    assert.equal(found.resolved, 'ResolvedRefs=True/ResolvedRefs');
    assert.deepEqual(found.findings, []);
  });

  it('must exist', () => {
    const found = listener(https('{name: tls}'));
    assert.equal(found.resolved, 'ResolvedRefs=False/InvalidCertificateRef');
    assert.match(found.message, /Secret shop\/tls does not exist/);
    assert.deepEqual(found.findings, [`InvalidCertificateRef warning ${at}`]);
  });

  it('must be a core Secret, spelled as the core group is', () => {
    for (const ref of [
      '{kind: ConfigMap, name: tls}',
      '{group: core, name: tls}',
      '{group: example.com, kind: Secret, name: tls}',
    ]) {
      const found = listener(secret() + https(ref));
      assert.equal(found.resolved, 'ResolvedRefs=False/InvalidCertificateRef', ref);
      assert.match(found.message, /no core Secret/);
    }
  });

  it('must be PEM under both keys of a Secret of type kubernetes.io/tls', () => {
    for (const [bad, word] of [
      [secret({ type: 'Opaque' }), /type Opaque/],
      [secret({ crt: 'hello' }), /tls\.crt: there is no PEM block/],
      [secret({ crt: '' }), /nothing under the key tls\.crt/],
      [secret({ crt: key }), /tls\.crt: there is only PRIVATE KEY/],
      [secret({ tlsKey: certificate }), /tls\.key: there is only CERTIFICATE/],
      [secret({ crt: pem('CERTIFICATE', Uint8Array.from([0x30, 5, 1])) }), /damaged/],
    ] as const) {
      const found = listener(bad + https('{name: tls}'));
      assert.equal(found.resolved, 'ResolvedRefs=False/InvalidCertificateRef');
      assert.match(found.message, word);
    }
  });

  it('of another namespace need a grant before anything else is looked at', () => {
    const away = secret({ namespace: 'vault' });
    const ref = '{name: tls, namespace: vault}';
    const refused = listener(away + https(ref));
    assert.equal(refused.resolved, 'ResolvedRefs=False/RefNotPermitted');
    assert.deepEqual(refused.findings, [`RefNotPermitted warning ${at}`]);
    assert.equal(listener(away + grant('Secret') + https(ref)).resolved, 'ResolvedRefs=True/ResolvedRefs');
    assert.equal(listener(away + grant('Secret', 'core') + https(ref)).resolved, 'ResolvedRefs=False/RefNotPermitted');
    const config = '{kind: ConfigMap, name: tls, namespace: vault}';
    assert.equal(listener(grant('Secret') + https(config)).resolved, 'ResolvedRefs=False/RefNotPermitted');
    assert.equal(listener(grant('ConfigMap') + https(config)).resolved, 'ResolvedRefs=False/InvalidCertificateRef');
  });

  it('that cannot be read are waited for in a cluster and assumed offline', () => {
    const world = { unknown: ['Secret'] };
    assert.equal(listener(https('{name: tls}'), world).resolved, 'ResolvedRefs=Unknown/Pending');
    const found = listener(https('{name: tls}'), { ...world, settings: { assumeUnknown: true } });
    assert.equal(found.resolved, 'ResolvedRefs=True/ResolvedRefs');
    assert.deepEqual(found.findings, [`Assumed note ${at}`]);
  });

  it('are all told, and the first that fails decides the reason', () => {
    const found = listener(secret() + https('{name: tls}, {name: gone}, {name: tls, namespace: vault}'));
    assert.equal(found.resolved, 'ResolvedRefs=False/InvalidCertificateRef');
    assert.match(found.message, /shop\/gone.*namespace vault/);
    assert.equal(found.findings.length, 2);
  });
});

describe('The client certificate of a Gateway', () => {
  const backend = (ref: string) => gateway(`tls: {backend: {clientCertificateRef: ${ref}}}\n`);
  const resolved = (yaml: string) => {
    const { conditions } = derived(ours + yaml).status('Gateway/shop/web');
    assert.equal(brief(conditions)[0], 'Accepted=True/Accepted');
    return brief(conditions).find((each) => each.startsWith('ResolvedRefs'));
  };

  it('has a condition only where one is named', () => {
    assert.equal(resolved(gateway()), undefined);
    assert.equal(resolved(secret() + backend('{name: tls}')), 'ResolvedRefs=True/ResolvedRefs');
  });

  it('is refused like a listener’s, with its own reason', () => {
    assert.equal(resolved(backend('{name: tls}')), 'ResolvedRefs=False/InvalidClientCertificateRef');
    assert.equal(resolved(backend('{kind: ConfigMap, name: tls}')), 'ResolvedRefs=False/InvalidClientCertificateRef');
    assert.equal(resolved(backend('{name: tls, namespace: vault}')), 'ResolvedRefs=False/RefNotPermitted');
    assert.deepEqual(derived(ours + backend('{name: tls}')).findings(), [
      'InvalidClientCertificateRef error Gateway/shop/web spec.tls.backend.clientCertificateRef',
    ]);
  });
});

describe('PEM', () => {
  it('may have several blocks, of which those with the label count', () => {
    assert.equal(pemProblem(`${key}${certificate}${certificate}`, ['CERTIFICATE']), undefined);
    assert.equal(pemProblem(certificate.replaceAll('\n', '\r\n'), ['CERTIFICATE']), undefined);
    assert.match(pemProblem(certificate.replace('END CERTIFICATE', 'END KEY'), ['CERTIFICATE']) ?? '', /no PEM block/);
    assert.match(
      pemProblem(certificate + pem('CERTIFICATE', Uint8Array.from([4, 1, 1])), ['CERTIFICATE']) ?? '',
      /damaged/,
    );
  });
});
