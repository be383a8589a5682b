import assert from 'node:assert/strict';
import { clusterRules, leaseRules } from './rbac.ts';

describe('what the operator must be allowed', () => {
  it('follows from what it does, resource by resource', () => {
    const rules = clusterRules({
      watched: ['Gateway', 'Secret', 'Pod'],
      applied: ['Secret', 'ServiceAccount'],
      status: ['Gateway'],
      patched: ['Gateway', 'Pod'],
      owners: ['Gateway'],
    });
    assert.deepEqual(rules, [
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch', 'patch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
      { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'create', 'patch', 'delete'] },
      { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] },
      { apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways'], verbs: ['get', 'list', 'watch', 'patch'] },
      { apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways/finalizers'], verbs: ['update'] },
      { apiGroups: ['gateway.networking.k8s.io'], resources: ['gateways/status'], verbs: ['patch'] },
    ]);
  });

  it('limits the Lease to its name, but for its making', () => {
    assert.deepEqual(
      leaseRules('leader').map(({ verbs, resourceNames }) => [verbs, resourceNames]),
      [
        [['create'], undefined],
        [['get', 'patch'], ['leader']],
      ],
    );
  });
});
