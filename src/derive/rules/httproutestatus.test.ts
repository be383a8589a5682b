import assert from 'node:assert/strict';
import type { RouteParentStatus } from '../results.ts';
import { httpRouteStatus } from './httproutestatus.ts';
import { brief, derived, gateway, ours, type World } from './testfacts.test.ts';

const route = (spec: string): string => `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: cart, namespace: pay}
spec:
  parentRefs: [{name: web, namespace: shop}]
${spec.replaceAll(/^(?=.)/gm, '  ')}
---
`;

const toCart = 'rules: [{backendRefs: [{name: cart, namespace: stock, port: 80}]}]';

function parents(yaml: string, world: World = {}): readonly RouteParentStatus[] {
  const claim = derived(yaml, world).read(httpRouteStatus.emit, 'pay/cart');
  return (claim?.status['parents'] ?? []) as readonly RouteParentStatus[];
}

const selecting = (hostname: string): string => `listeners:
  - {name: all, port: 80, protocol: HTTP, hostname: a.example.com, allowedRoutes: {namespaces: {from: All}}}
  - name: some
    port: 80
    protocol: HTTP
    hostname: ${hostname}
    allowedRoutes: {namespaces: {from: Selector, selector: {matchLabels: {team: pay}}}}
`;

describe('the status of an HTTPRoute', () => {
  it('keeps what was said of references while they cannot be told', () => {
    const open = gateway(
      'listeners: [{name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}]',
    );
    const [parent] = parents(ours + open + route(toCart), { unknown: ['ReferenceGrant'] });
    const held = parent?.conditions.filter((each) => each.held === true) ?? [];
    assert.deepEqual(brief(held), ['ResolvedRefs=Unknown/Pending']);
    assert.ok(brief(parent?.conditions).includes('Accepted=True/Accepted'));
  });

  it('keeps the entry of a parent that cannot be read', () => {
    const found = parents(route(toCart), { unknown: ['Gateway'] });
    assert.deepEqual(
      found.map(({ held, conditions }) => ({ held, conditions })),
      [{ held: true, conditions: [] }],
    );
    assert.deepEqual(parents(route(toCart)), []);
  });

  it('waits where a listener that lacks its namespace could lend it a hostname', () => {
    const yaml = ours + gateway(selecting('b.example.com')) + route(`hostnames: [b.example.com]\n${toCart}`);
    assert.deepEqual(brief(parents(yaml, { unknown: ['Namespace'] })[0]?.conditions.slice(0, 1)), [
      'Accepted=False/Pending',
    ]);
    assert.deepEqual(brief(parents(yaml)[0]?.conditions.slice(0, 1)), ['Accepted=False/NoMatchingListenerHostname']);
  });

  it('says that hosts may be lacking where another listener has lent some', () => {
    const yaml = ours + gateway(selecting('b.example.com')) + route(toCart);
    const [parent] = parents(yaml, { unknown: ['Namespace'] });
    assert.ok(brief(parent?.conditions).includes('cf.k8s.lex.la/ProxyConfigPushed=False/ParentNotEvaluated'));
  });
});
