import assert from 'node:assert/strict';
import { planeCertificates } from './planecertificates.ts';
import { derived, gateway, ours, parameters, withParameters } from './testfacts.test.ts';

const pem = (label: string): string =>
  Buffer.from(`-----BEGIN ${label}-----\nMAMCAQE=\n-----END ${label}-----\n`).toString('base64');
const secret = (name: string, crt = pem('CERTIFICATE')): string => `
apiVersion: v1
kind: Secret
metadata: {name: ${name}, namespace: shop}
type: kubernetes.io/tls
data: {tls.crt: ${crt}, tls.key: ${pem('PRIVATE KEY')}}
---
`;
const listeners = `listeners:
- {name: http, port: 80, protocol: HTTP}
- {name: a, port: 443, protocol: HTTPS, hostname: a.example.com, tls: {certificateRefs: [{name: one}, {name: two}]}}
- {name: b, port: 443, protocol: HTTPS, hostname: b.example.com, tls: {certificateRefs: [{name: missing}]}}
`;
const world = ours + gateway(withParameters + listeners) + secret('one') + secret('two');

describe('The certificates of a plane', () => {
  it('are those that its HTTPS listeners name and that can be used', () => {
    const { read } = derived(world + parameters('service: {}'));
    const found = read(planeCertificates, 'shop/web');
    assert.deepEqual(found?.listeners, [{ listener: 'shop/web/a', secrets: ['shop/one', 'shop/two'] }]);
    assert.equal(found.isHeld, false);
  });

  it('are none where there is no Service', () => {
    assert.equal(derived(world + parameters('{}')).read(planeCertificates, 'shop/web'), undefined);
  });

  it('have another hash with other content', () => {
    const { read, add } = derived(world + parameters('service: {}'));
    const before = read(planeCertificates, 'shop/web')?.hash;
    add(
      secret('two', Buffer.from('-----BEGIN CERTIFICATE-----\nMAMCAQI=\n-----END CERTIFICATE-----').toString('base64')),
    );
    assert.notEqual(read(planeCertificates, 'shop/web')?.hash, before);
  });

  it('are held while one of them cannot be read', () => {
    const yaml = ours + gateway(withParameters + listeners) + parameters('service: {}');
    const { read } = derived(yaml, { unknown: ['Secret'] });
    assert.equal(read(planeCertificates, 'shop/web')?.isHeld, true);
  });
});
