import assert from 'node:assert/strict';
import { brief, derived, gateway, ours } from './testfacts.test.ts';

const listenerSet = `
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: {name: more, namespace: team, generation: 2}
spec:
  parentRef: {name: web, namespace: shop}
  listeners: [{name: extra, port: 81, protocol: HTTP}]
---
`;

const grpcRoute = (...parents: readonly string[]) => `
apiVersion: gateway.networking.k8s.io/v1
kind: GRPCRoute
metadata: {name: rpc, namespace: shop, generation: 5}
spec: {parentRefs: [${parents.join(', ')}], rules: [{backendRefs: [{name: rpc, port: 80}]}]}
---
`;

describe('Kinds that this version does not serve', () => {
  it('refuses a GRPCRoute under each parent of ours', () => {
    const route = grpcRoute(
      '{name: other}',
      '{name: web, sectionName: http}',
      '{kind: ListenerSet, name: more, namespace: team}',
    );
    const { status, findings } = derived(ours + gateway() + listenerSet + route);
    const { parents } = status('GRPCRoute/shop/rpc');
    assert.deepEqual(
      parents?.map(({ parentRef }) => parentRef),
      [
        { name: 'web', sectionName: 'http' },
        { kind: 'ListenerSet', name: 'more', namespace: 'team' },
      ],
    );
    for (const { conditions } of parents ?? []) {
      assert.deepEqual(brief(conditions), ['Accepted=False/UnsupportedValue']);
      assert.equal(conditions[0]?.observedGeneration, 5);
    }
    assert.deepEqual(findings(), [
      'NotAllowed error ListenerSet/team/more spec.parentRef',
      'UnsupportedValue error GRPCRoute/shop/rpc spec.parentRefs.1',
      'UnsupportedValue error GRPCRoute/shop/rpc spec.parentRefs.2',
    ]);
  });

  it('refuses a ListenerSet of a Gateway of ours', () => {
    const { conditions } = derived(ours + gateway() + listenerSet).status('ListenerSet/team/more');
    assert.deepEqual(brief(conditions), ['Accepted=False/NotAllowed', 'Programmed=False/NotAllowed']);
  });

  it('says nothing of what belongs to others', () => {
    const foreign = ours.replace('io/controller', 'io/other');
    const { status, findings } = derived(foreign + gateway() + listenerSet + grpcRoute('{name: web}'));
    assert.deepEqual(status('GRPCRoute/shop/rpc'), {});
    assert.deepEqual(status('ListenerSet/team/more'), {});
    assert.deepEqual(findings(), []);
    const service = derived(ours + gateway() + grpcRoute("{group: '', kind: Service, name: web}"));
    assert.deepEqual(service.status('GRPCRoute/shop/rpc'), {});
  });
});
