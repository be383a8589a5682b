import assert from 'node:assert/strict';
import { brief, derived, gateway, messageOf, ours, parameters, withParameters } from './testfacts.test.ts';

const listenerless = (yaml: string) => derived(ours + gateway(yaml));

describe('Status of a Gateway', () => {
  it('says what is known before tunnel and pods are', () => {
    const { conditions, listeners } = derived(ours + gateway()).status('Gateway/shop/web');
    assert.deepEqual(brief(conditions), [
      'Accepted=True/Accepted',
      'Programmed=Unknown/Pending',
      'DNSManagement=True/Enabled',
      'Ready=Unknown/Progressing',
    ]);
    assert.deepEqual(
      conditions?.map(({ observedGeneration }) => observedGeneration),
      [3, 3, 3, 3],
    );
    assert.deepEqual(
      listeners?.map(({ conditions: of, ...rest }) => ({ ...rest, conditions: brief(of) })),
      [
        {
          name: 'http',
          supportedKinds: [{ group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' }],
          attachedRoutes: 0,
          conditions: ['Accepted=True/Accepted', 'Programmed=Unknown/Pending', 'ResolvedRefs=True/ResolvedRefs'],
        },
      ],
    );
    assert.deepEqual(derived(ours + gateway()).findings(), []);
  });

  it('is nobody else’s to write, nor while reconciliation is disabled', () => {
    const foreign = ours.replace('cloudflare-gateway-controller.io/controller', 'example.com/other');
    assert.deepEqual(derived(foreign + gateway()).status('Gateway/shop/web'), {});
    const disabled = gateway('', 'annotations: {cloudflare-gateway-controller.io/reconcile: disabled}');
    const { status, findings } = derived(ours + disabled);
    assert.deepEqual(status('Gateway/shop/web'), {});
    const annotation = 'Gateway/shop/web metadata.annotations.cloudflare-gateway-controller.io/reconcile';
    assert.deepEqual(findings(), [`Suspended note ${annotation}`]);
    const mistyped = derived(ours + disabled.replace('disabled', 'off'));
    assert.deepEqual(mistyped.findings(), [`UnsupportedSetting warning ${annotation}`]);
    assert.equal(brief(mistyped.status('Gateway/shop/web').conditions)[0], 'Accepted=True/Accepted');
  });

  it('is refused as a whole for spec.tls.frontend, and its listeners with it', () => {
    const { status, findings } = listenerless('tls: {frontend: {}}\n');
    const { conditions, listeners } = status('Gateway/shop/web');
    assert.deepEqual(brief(conditions), [
      'Accepted=False/Invalid',
      'Programmed=False/Invalid',
      'DNSManagement=True/Enabled',
      'Ready=False/ReconciliationFailed',
    ]);
    assert.deepEqual(brief(listeners?.[0]?.conditions), [
      'Accepted=True/Accepted',
      'Programmed=False/Invalid',
      'ResolvedRefs=True/ResolvedRefs',
    ]);
    assert.deepEqual(findings(), ['Invalid error Gateway/shop/web spec.tls.frontend']);
  });

  it('refuses an address that is no hostname, also by default', () => {
    for (const address of [
      '{value: 10.0.0.1}',
      '{type: IPAddress, value: 10.0.0.1}',
      '{type: example.com/x, value: x}',
    ]) {
      const { status, findings } = listenerless(`addresses: [{type: Hostname}, ${address}]\n`);
      assert.equal(brief(status('Gateway/shop/web').conditions)[0], 'Accepted=False/UnsupportedAddress');
      assert.deepEqual(findings(), ['UnsupportedAddress error Gateway/shop/web spec.addresses.1']);
    }
    assert.deepEqual(listenerless('addresses: [{type: Hostname, value: x.example.com}]\n').findings(), []);
  });

  it('names every problem at once and takes the first for the condition', () => {
    const yaml = gateway(
      'addresses: [{type: IPAddress, value: 10.0.0.1}]\ntls: {frontend: {}}\n',
      'annotations: {cloudflare-gateway-controller.io/reconcileEvery: often}',
    );
    const { status, findings } = derived(ours + yaml);
    assert.equal(brief(status('Gateway/shop/web').conditions)[0], 'Accepted=False/Invalid');
    assert.deepEqual(findings(), [
      'Invalid error Gateway/shop/web spec.tls.frontend',
      'InvalidParameters error Gateway/shop/web metadata.annotations.cloudflare-gateway-controller.io/reconcileEvery',
      'UnsupportedAddress error Gateway/shop/web spec.addresses.0',
    ]);
  });

  it('stays accepted while one listener can be served', () => {
    const { status, findings } = listenerless(`listeners:
- {name: http, port: 80, protocol: HTTP}
- {name: raw, port: 5432, protocol: TCP}
`);
    const { conditions, listeners } = status('Gateway/shop/web');
    assert.equal(brief(conditions)[0], 'Accepted=True/ListenersNotValid');
    assert.deepEqual(brief(listeners?.[1]?.conditions), [
      'Accepted=False/UnsupportedProtocol',
      'Programmed=False/Invalid',
      'ResolvedRefs=True/ResolvedRefs',
    ]);
    assert.deepEqual(listeners?.[1]?.supportedKinds, []);
    assert.deepEqual(findings(), ['UnsupportedProtocol error Gateway/shop/web spec.listeners.1']);
  });

  it('is refused where no listener can be served', () => {
    const { conditions } = listenerless('listeners: [{name: raw, port: 5432, protocol: TCP}]\n').status(
      'Gateway/shop/web',
    );
    assert.deepEqual(brief(conditions).slice(0, 2), ['Accepted=False/ListenersNotValid', 'Programmed=False/Invalid']);
  });

  it('says Conflicted of the later of two listeners only', () => {
    const { listeners } = listenerless(`listeners:
- {name: a, port: 80, protocol: HTTP, hostname: shop.example.com}
- {name: b, port: 80, protocol: HTTP, hostname: SHOP.example.com}
- {name: c, port: 80, protocol: HTTPS, hostname: other.example.com}
`).status('Gateway/shop/web');
    assert.deepEqual(
      listeners?.map(({ conditions }) => brief(conditions).filter((each) => !each.startsWith('ResolvedRefs'))),
      [
        ['Accepted=True/Accepted', 'Programmed=Unknown/Pending'],
        ['Accepted=False/HostnameConflict', 'Programmed=False/HostnameConflict', 'Conflicted=True/HostnameConflict'],
        ['Accepted=False/ProtocolConflict', 'Programmed=False/ProtocolConflict', 'Conflicted=True/ProtocolConflict'],
      ],
    );
  });

  it('warns of a listener that lends every host to everybody', () => {
    const { status, findings } = listenerless(`listeners:
- {name: http, port: 80, protocol: HTTP, allowedRoutes: {namespaces: {from: All}}}
- {name: named, port: 80, protocol: HTTP, hostname: a.example.com, allowedRoutes: {namespaces: {from: All}}}
`);
    const { listeners } = status('Gateway/shop/web');
    const permissive = 'cf.k8s.lex.la/PermissiveHostname=True/UnpinnedHostnameAllowsAllNamespaces';
    assert.deepEqual(
      listeners?.map(({ conditions }) => brief(conditions).includes(permissive)),
      [true, false],
    );
    assert.deepEqual(findings(), ['UnpinnedHostnameAllowsAllNamespaces warning Gateway/shop/web spec.listeners.0']);
  });

  it('admits of the asked kinds those that are served', () => {
    const { status, findings } = listenerless(`listeners:
- {name: some, port: 80, protocol: HTTP, allowedRoutes: {kinds: [{kind: HTTPRoute}, {kind: UDPRoute}]}}
- {name: none, port: 81, protocol: HTTP, allowedRoutes: {kinds: [{group: example.com, kind: HTTPRoute}]}}
`);
    const { listeners } = status('Gateway/shop/web');
    assert.deepEqual(
      listeners?.map(({ supportedKinds }) => supportedKinds.length),
      [1, 0],
    );
    for (const { conditions } of listeners ?? [])
      assert.ok(brief(conditions).includes('ResolvedRefs=False/InvalidRouteKinds'));
    assert.equal(findings().length, 2);
  });

  it('counts the routes of each listener', () => {
    const route = `
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: all, namespace: shop}
spec: {parentRefs: [{name: web, sectionName: b}], rules: [{matches: [{path: {type: PathPrefix, value: /}}]}]}
---
`;
    const listeners = `listeners:
- {name: a, port: 80, protocol: HTTP}
- {name: b, port: 81, protocol: HTTP}
`;
    const { status } = derived(ours + route + gateway(listeners));
    assert.deepEqual(
      status('Gateway/shop/web').listeners?.map(({ attachedRoutes }) => attachedRoutes),
      [0, 1],
    );
  });

  it('tells which hostnames get records', () => {
    const zones = derived(
      ours + parameters('dns: {zones: [{name: b.example}, {name: a.example}]}') + gateway(withParameters),
    );
    assert.equal(messageOf(zones.status('Gateway/shop/web').conditions, 'DNSManagement'), 'b.example\na.example');
    const off = derived(ours + parameters('dns: {zones: []}') + gateway(withParameters));
    assert.ok(brief(off.status('Gateway/shop/web').conditions).includes('DNSManagement=False/Disabled'));
  });

  it('fails for a patch that cannot be applied', () => {
    const patch = 'tunnel: {patches: [{op: remove, path: /spec/nothing}]}';
    const { status, findings } = derived(ours + parameters(patch) + gateway(withParameters));
    assert.deepEqual(brief(status('Gateway/shop/web').conditions), [
      'Accepted=True/Accepted',
      'Programmed=False/Invalid',
      'DNSManagement=True/Enabled',
      'Ready=False/ReconciliationFailed',
    ]);
    assert.deepEqual(findings(), ['PlaneNotBuilt error Gateway/shop/web']);
  });

  it('names a class that does not exist', () => {
    assert.deepEqual(derived(gateway()).findings(), [
      'GatewayClassNotFound warning Gateway/shop/web spec.gatewayClassName',
    ]);
  });
});
