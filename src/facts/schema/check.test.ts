import assert from 'node:assert/strict';
import { checkObject, type CheckOptions } from './check.ts';
import { pathText } from '../fieldpath.ts';

const route = (rule: unknown, more = {}): unknown => ({
  apiVersion: 'gateway.networking.k8s.io/v1beta1',
  kind: 'HTTPRoute',
  metadata: { name: 'a', namespace: 'a', creationTimestamp: null },
  spec: { parentRefs: [{ name: 'gw' }], rules: [rule], ...more },
});

const issues = (object: unknown, channel: CheckOptions['channel'] = 'auto'): readonly string[] =>
  checkObject(object, { channel }).issues.map((issue) => `${issue.severity} ${pathText(issue.path)}`);

describe('checkObject', () => {
  it('returns the object as the API server would, in the preferred version', () => {
    const { object } = checkObject(route({ backendRefs: [{ name: 's', port: 80 }] }));
    assert.equal(object.apiVersion, 'gateway.networking.k8s.io/v1');
    assert.deepEqual(object.metadata, { name: 'a', namespace: 'a' });
    assert.deepEqual(object['spec'], {
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'gw' }],
      rules: [
        {
          backendRefs: [{ group: '', kind: 'Service', name: 's', port: 80, weight: 1 }],
          matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        },
      ],
    });
  });

  it('leaves what it is given alone', () => {
    const given = route({ backendRefs: [{ name: 's', port: 80 }] });
    const before = JSON.stringify(given);
    checkObject(given);
    assert.equal(JSON.stringify(given), before);
  });

  it('never throws, whatever it is given', () => {
    const odd = [
      undefined,
      null,
      7,
      'x',
      [],
      {},
      { apiVersion: 7 },
      { apiVersion: 'v1', kind: 'Service' },
      { apiVersion: 'v1', kind: 'Secret', metadata: 7 },
    ];
    for (const each of [...odd, route(7), route(null), route([])]) {
      assert.ok(
        checkObject(each).issues.some((issue) => issue.severity === 'error'),
        JSON.stringify(each),
      );
    }
  });

  it('names the rule that does not hold', () => {
    const [issue] = checkObject(route({ backendRefs: [{ name: 's' }] })).issues;
    assert.equal(issue?.message, 'Must have port for Service reference');
    assert.match(issue.rule ?? '', /self\.port/);
  });
});

describe('channels', () => {
  it('auto: a field of the Experimental channel is a note', () => {
    assert.deepEqual(issues(route({ retry: { attempts: 2 } })), ['note spec.rules[0].retry']);
    assert.deepEqual(issues(route({ retry: { attempts: 2 } }), 'experimental'), []);
    assert.deepEqual(issues(route({ retry: { attempts: 2 } }), 'standard'), ['error spec.rules[0].retry']);
  });

  it('auto: what is wrong in such a field is an error all the same', () => {
    assert.deepEqual(issues(route({ retry: { attempts: 0 } })), [
      'error spec.rules[0].retry.attempts',
      'note spec.rules[0].retry',
    ]);
  });

  it('auto: what one channel refuses is a warning', () => {
    const spaces = {
      filters: [{ type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'a', value: 'b  c' }] } }],
    };
    const place = 'spec.rules[0].filters[0].requestHeaderModifier.set[0].value';
    assert.deepEqual(issues(route(spaces)), [`warning ${place}`]);
    assert.deepEqual(issues(route(spaces), 'experimental'), [`error ${place}`]);
    assert.deepEqual(issues(route(spaces), 'standard'), []);
    const ports = {
      parentRefs: [
        { name: 'gw', port: 80 },
        { name: 'gw', port: 81 },
      ],
    };
    assert.deepEqual(issues(route({}, ports)), ['warning spec.parentRefs']);
    assert.deepEqual(issues(route({}, ports), 'standard'), ['error spec.parentRefs']);
  });

  it('auto: what both refuse by different rules is an error', () => {
    assert.deepEqual(issues(route({}, { parentRefs: [{ name: 'gw' }, { name: 'gw' }] })), ['error spec.parentRefs']);
  });
});

describe("Kubernetes' own kinds", () => {
  const core = (kind: string, rest: Readonly<Record<string, unknown>>): unknown => ({
    apiVersion: 'v1',
    kind,
    metadata: { name: 'a', namespace: 'a' },
    ...rest,
  });

  it('a Service gets what the API server fills in', () => {
    const { object } = checkObject(
      core('Service', { spec: { type: 'LoadBalancer', ports: [{ port: 80, targetPort: 'http' }] } }),
    );
    assert.deepEqual(object['spec'], {
      type: 'LoadBalancer',
      allocateLoadBalancerNodePorts: true,
      externalTrafficPolicy: 'Cluster',
      internalTrafficPolicy: 'Cluster',
      sessionAffinity: 'None',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 'http' }],
    });
  });

  const bad: readonly (readonly [kind: string, rest: Readonly<Record<string, unknown>>, place: string])[] = [
    ['Service', {}, 'spec'],
    ['Service', { spec: {} }, 'spec.ports'],
    ['Service', { spec: { ports: [{ port: 70000, targetPort: 80 }] } }, 'spec.ports[0].port'],
    ['Service', { spec: { ports: [{ port: 80, targetPort: 'No' }] } }, 'spec.ports[0].targetPort'],
    ['Service', { spec: { ports: [{ port: 80, protocol: 'HTTP' }] } }, 'spec.ports[0].protocol'],
    ['Service', { spec: { ports: [{ port: 80, name: 'a' }, { port: 81 }] } }, 'spec.ports[1].name'],
    [
      'Service',
      {
        spec: {
          ports: [
            { port: 80, name: 'a' },
            { port: 81, name: 'a' },
          ],
        },
      },
      'spec.ports[1].name',
    ],
    ['Service', { spec: { type: 'ExternalName' } }, 'spec.externalName'],
    ['Secret', { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, 'data["tls.key"]'],
    ['Secret', { data: { 'a b': '' } }, 'data["a b"]'],
    ['Secret', { data: { a: '!' } }, 'data.a'],
    ['ConfigMap', { data: { a: 'x' }, binaryData: { a: 'eA==' } }, 'data.a'],
    ['ConfigMap', { data: { '..a': 'x' } }, 'data["..a"]'],
  ];
  for (const [kind, rest, place] of bad) {
    it(`${kind} ${JSON.stringify(rest)} is refused at ${place}`, () =>
      assert.deepEqual(issues(core(kind, rest)), [`error ${place}`]));
  }

  it('a Service without ports may be headless', () =>
    assert.deepEqual(issues(core('Service', { spec: { clusterIP: 'None' } })), []));

  it('endpoints have addresses of their type', () => {
    const slice = (address: string): unknown => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'a', namespace: 'a' },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address] }],
      ports: [{ port: 80 }],
    });
    assert.deepEqual(issues(slice('10.0.0.1')), []);
    assert.deepEqual(checkObject(slice('10.0.0.1')).object['ports'], [{ name: '', port: 80, protocol: 'TCP' }]);
    assert.deepEqual(issues(slice('::1')), ['error endpoints[0].addresses[0]']);
  });
});

describe('metadata', () => {
  const named = (metadata: unknown, kind = 'ConfigMap'): readonly string[] =>
    issues({ apiVersion: 'v1', kind, metadata });
  it('names are of the syntax of their kind', () => {
    assert.deepEqual(named({ name: 'a.b', namespace: 'a' }), []);
    assert.deepEqual(named({ name: 'a.b' }, 'Namespace'), ['error metadata.name']);
    assert.deepEqual(named({ name: 'A', namespace: 'a.b' }), ['error metadata.name', 'error metadata.namespace']);
  });
  it('labels and annotations have keys and values', () => {
    const labels = { 'a.b/c': '', 'a/b/c': 'x', d: '-', ['x'.repeat(64)]: 'x' };
    assert.deepEqual(named({ name: 'a', labels }).length, 3);
    assert.deepEqual(named({ name: 'a', annotations: { 'A/b': 'x', 'a b': 'x' } }), [
      'error metadata.annotations["a b"]',
    ]);
    assert.deepEqual(named({ name: 'a', annotations: { a: 'x'.repeat(262_144) } }), ['error metadata.annotations']);
  });
  it('times are times', () => {
    assert.deepEqual(named({ name: 'a', creationTimestamp: '2026-02-30T00:00:00Z' }), [
      'error metadata.creationTimestamp',
    ]);
    assert.deepEqual(named({ name: 'a', creationTimestamp: '2026-02-28T00:00:00.5+01:00' }), []);
  });
});
