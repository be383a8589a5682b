import assert from 'node:assert/strict';
import { managedBy } from '../../api/names.ts';
import type { KubeObject } from '../object.ts';
import { factOf } from './fact.ts';
import { isLater } from './revision.ts';
import { knownKind, resourceOf } from './kinds.ts';
import { collectionPath, objectPath, objectText } from './resource.ts';
import { watched } from './watchedkind.ts';

const given = {
  metadata: {
    name: 'a',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', kept: 'yes' },
    managedFields: [{ manager: 'kubectl' }, { manager: managedBy, operation: 'Apply' }],
  },
  data: { a: 'b' },
} as unknown as KubeObject;

describe('an object of the API server as a fact', () => {
  it('has its type, is frozen, and lacks what nobody reads', () => {
    const fact = factOf(watched('ConfigMap'), 'v1', given);
    assert.deepEqual(fact, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', annotations: { kept: 'yes' } },
      data: { a: 'b' },
    });
    assert.ok(Object.isFrozen(fact) && Object.isFrozen(fact['data']));
  });

  it('keeps who manages which field where we write it, and what its kind trims', () => {
    const kind = watched('ConfigMap', { written: true, trim: (object) => ({ ...object, data: 'trimmed' }) });
    const fact = factOf(kind, 'v1', given);
    assert.deepEqual(fact.metadata['managedFields'], [{ manager: managedBy, operation: 'Apply' }]);
    assert.equal(fact['data'], 'trimmed');
  });

  it('has a version that is compared as a number of any length', () => {
    assert.ok(isLater('10', '9') && !isLater('9', '10') && !isLater('9', '9'));
    assert.ok(isLater('18446744073709551615', '18446744073709551614'));
  });

  it('is asked for where its kind is', () => {
    const gateway = knownKind('Gateway');
    assert.deepEqual(
      [gateway.apiVersion, ...gateway.otherVersions],
      ['gateway.networking.k8s.io/v1', 'gateway.networking.k8s.io/v1beta1'],
    );
    const name = { namespace: 'shop', name: 'web' };
    assert.equal(
      objectPath(gateway, name, 'status'),
      '/apis/gateway.networking.k8s.io/v1/namespaces/shop/gateways/web/status',
    );
    assert.equal(collectionPath(knownKind('Secret')), '/api/v1/secrets');
    assert.equal(
      objectPath(knownKind('GatewayClass'), { namespace: '', name: 'a' }),
      '/apis/gateway.networking.k8s.io/v1/gatewayclasses/a',
    );
    assert.equal(resourceOf({ apiVersion: 'gateway.networking.k8s.io/v1beta1', kind: 'Gateway' }).plural, 'gateways');
    assert.equal(objectText(gateway, name), 'Gateway shop/web');
    assert.throws(() => knownKind('Widget'), /no kind Widget/);
  });
});
