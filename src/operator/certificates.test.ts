import assert from 'node:assert/strict';
import type { PlaneResult } from '../derive/results.ts';
import { createFactStore } from '../facts/store.ts';
import { certificateFiles } from '../table/certificates.ts';
import { certificatesSecret } from './certificates.ts';

const plane = { id: 'shop/web', namespace: 'shop', name: 'web', gatewayClassName: 'c', gateways: ['shop/web'] };

describe('the Secret with the certificates of a plane', () => {
  const store = createFactStore();
  const data = { 'tls.crt': 'Y2VydA==', 'tls.key': 'a2V5' };
  store.set({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'vault', name: 'tls' }, data });
  const resultWith = (listeners: readonly object[]): PlaneResult =>
    ({ plane, certificates: { listeners, hash: '', isHeld: false } }) as unknown as PlaneResult;

  it('holds what the listeners name, under the names of the files that the proxy looks for', () => {
    const secret = certificatesSecret(store, resultWith([{ listener: 'shop/web/https', secrets: ['vault/tls'] }]));
    const { certificate, key } = certificateFiles('shop/web/https', 0);
    assert.equal(secret?.metadata.name, 'gateway-web-certificates');
    assert.equal(secret.metadata.namespace, 'shop');
    assert.deepEqual(secret['data'], { [certificate]: 'Y2VydA==', [key]: 'a2V5' });
  });

  it('is not there without a certificate', () => {
    assert.equal(certificatesSecret(store, resultWith([])), undefined);
  });
});
