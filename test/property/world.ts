import type { KubeObject } from '../../src/facts/object.ts';

/** Small worlds whose names collide on purpose, so that every change meets something that depends on it. */

/** A source of numbers below a bound; the same seed gives the same numbers. */
export type Random = (below: number) => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0 || 1;
  return (below) => {
    // xorshift32: nothing here needs a better one, and a failure must be repeatable by its seed.
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const gatewayApi = 'gateway.networking.k8s.io';
const v1 = `${gatewayApi}/v1`;
const namespaces = ['a', 'b'];
const hosts = ['x.test', '*.test', 'y.x.test', undefined];
const one = <T>(random: Random, of: readonly T[]): T => of[random(of.length)] as T;

const makers: readonly ((random: Random) => KubeObject)[] = [
  gatewayClass,
  gateway,
  gateway,
  gateway,
  route,
  route,
  route,
  route,
  route,
  route,
  service,
  service,
  service,
  slice,
  grant,
  namespace,
  secret,
  policy,
  parameters,
  classConfig,
  deployment,
  cloudflareState,
  grpcRoute,
  listenerSet,
];

/** What it takes for Gateways of both namespaces to be served; any of it may be changed or deleted later. */
export function baseObjects(): KubeObject[] {
  const parametersRef = { group: '', kind: 'Secret', namespace: 'a', name: 'credentials' };
  const controllerName = 'cloudflare-gateway-controller.io/controller';
  return [
    { apiVersion: v1, kind: 'GatewayClass', metadata: { name: 'c' }, spec: { controllerName, parametersRef } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'a', name: 'credentials' },
      type: 'Opaque',
      data: { CLOUDFLARE_API_TOKEN: 'dA==', CLOUDFLARE_ACCOUNT_ID: 'YQ==' },
    },
    {
      apiVersion: v1,
      kind: 'ReferenceGrant',
      metadata: { namespace: 'a', name: 'credentials' },
      spec: {
        from: [{ group: gatewayApi, kind: 'Gateway', namespace: 'b' }],
        to: [{ group: '', kind: 'Secret' }],
      },
    },
    {
      apiVersion: v1,
      kind: 'Gateway',
      metadata: { namespace: 'a', name: 'g' },
      spec: {
        gatewayClassName: 'c',
        listeners: [{ name: 'l0', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'All' } } }],
      },
    },
  ];
}

/** Any object of any kind the rules read. */
export function anyObject(random: Random): KubeObject {
  return one(random, makers)(random);
}

/** Kinds of which it may become unknown what there is. */
export const knownKinds = [
  'Secret',
  'EndpointSlice',
  'Service',
  'Namespace',
  'ReferenceGrant',
  'GatewayClass',
  'Gateway',
  'BackendTLSPolicy',
  'CloudflareState',
];

function gatewayClass(random: Random): KubeObject {
  const controllerName = one(random, [
    'cloudflare-gateway-controller.io/controller',
    'cloudflare-gateway-controller.io/controller',
    'cloudflare-gateway-controller.io/controller',
    'example.com/other',
  ]);
  const own = { group: '', kind: 'Secret', namespace: 'a', name: 'credentials' };
  const parametersRef = one(random, [own, own, { group: 'cf.k8s.lex.la', kind: 'GatewayClassConfig', name: 'shared' }]);
  return { apiVersion: v1, kind: 'GatewayClass', metadata: { name: 'c' }, spec: { controllerName, parametersRef } };
}

function classConfig(random: Random): KubeObject {
  return {
    apiVersion: 'cf.k8s.lex.la/v1alpha1',
    kind: 'GatewayClassConfig',
    metadata: { name: 'shared' },
    spec: {
      tunnelID: one(random, ['t1', 't2']),
      cloudflareCredentialsSecretRef: { name: 'credentials', namespace: 'a', key: 'CLOUDFLARE_API_TOKEN' },
    },
  };
}

function gateway(random: Random): KubeObject {
  const listeners = Array.from({ length: 1 + random(3) }, (_, index) => {
    const hostname = one(random, hosts);
    const from = one(random, ['Same', 'All', 'Selector']);
    return {
      name: `l${index}`,
      port: one(random, [80, 81]),
      protocol: one(random, ['HTTP', 'HTTP', 'HTTPS', 'TCP']),
      ...(hostname === undefined ? {} : { hostname }),
      allowedRoutes: {
        namespaces: { from, ...(from === 'Selector' ? { selector: { matchLabels: { team: 't' } } } : {}) },
      },
    };
  });
  const infrastructure = random(4) === 0 ? { infrastructure: { parametersRef: parametersRef() } } : {};
  return {
    apiVersion: v1,
    kind: 'Gateway',
    metadata: { namespace: one(random, namespaces), name: one(random, ['g', 'h']), generation: random(3) },
    spec: { gatewayClassName: 'c', listeners, ...infrastructure },
  };
}

function parametersRef(): object {
  return { group: 'cloudflare-gateway-controller.io', kind: 'CloudflareGatewayParameters', name: 'p' };
}

function parameters(random: Random): KubeObject {
  return {
    apiVersion: 'cloudflare-gateway-controller.io/v1',
    kind: 'CloudflareGatewayParameters',
    metadata: { namespace: one(random, namespaces), name: 'p' },
    spec: {
      secretRef: { name: 'credentials' },
      tunnel: {
        loadBalancing: one(random, ['Service', 'Endpoints']),
        replicas: random(2) === 0 ? [] : [{ name: 'r' }],
      },
    },
  };
}

function route(random: Random): KubeObject {
  const parentRefs = Array.from({ length: 1 + random(2) }, () => ({
    group: gatewayApi,
    kind: 'Gateway',
    namespace: one(random, namespaces),
    name: one(random, ['g', 'h']),
    ...(random(3) === 0 ? { sectionName: one(random, ['l0', 'l1']) } : {}),
  }));
  const hostname = one(random, hosts);
  return {
    apiVersion: v1,
    kind: 'HTTPRoute',
    metadata: {
      namespace: one(random, namespaces),
      name: one(random, ['r', 's', 't']),
      creationTimestamp: one(random, ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']),
    },
    spec: {
      parentRefs,
      ...(hostname === undefined ? {} : { hostnames: [hostname] }),
      rules: Array.from({ length: 1 + random(2) }, () => rule(random)),
    },
  };
}

function rule(random: Random): object {
  const path = one(random, [
    { type: 'PathPrefix', value: '/' },
    { type: 'PathPrefix', value: '/p' },
    { type: 'Exact', value: '/p' },
    { type: 'RegularExpression', value: '/p.*' },
    { type: 'RegularExpression', value: '/(' },
  ]);
  const filters = one<readonly object[]>(random, [
    [],
    [],
    [{ type: 'RequestRedirect', requestRedirect: { statusCode: 302 } }],
    [{ type: 'ExtensionRef', extensionRef: { group: 'example.com', kind: 'X', name: 'x' } }],
  ]);
  return {
    matches: [{ path }],
    filters,
    backendRefs: Array.from({ length: random(3) }, () => ({
      group: '',
      kind: one(random, ['Service', 'Service', 'Service', 'Thing']),
      namespace: one(random, namespaces),
      name: one(random, ['u', 'v']),
      port: one(random, [80, 443]),
      weight: random(3),
    })),
  };
}

function service(random: Random): KubeObject {
  const appProtocol = one(random, [undefined, undefined, 'kubernetes.io/h2c', 'https', 'odd']);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: one(random, namespaces), name: one(random, ['u', 'v']) },
    spec: {
      type: 'ClusterIP',
      ...(random(3) === 0 ? { clusterIP: 'None' } : {}),
      ...(random(3) === 0 ? {} : { selector: { app: 'u' } }),
      ports: [{ name: 'web', port: 80, protocol: 'TCP', ...(appProtocol === undefined ? {} : { appProtocol }) }],
    },
  };
}

function slice(random: Random): KubeObject {
  const name = one(random, ['u', 'v']);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: one(random, namespaces),
      name: `${name}-${random(2)}`,
      labels: { 'kubernetes.io/service-name': name },
    },
    addressType: 'IPv4',
    endpoints: Array.from({ length: random(3) }, () => ({
      addresses: [`10.0.0.${1 + random(3)}`],
      conditions: { ready: random(3) > 0 },
    })),
    ports: [{ name: 'web', port: 8080, protocol: 'TCP' }],
  };
}

function grant(random: Random): KubeObject {
  return {
    apiVersion: v1,
    kind: 'ReferenceGrant',
    metadata: { namespace: one(random, namespaces), name: one(random, ['m', 'n']) },
    spec: {
      from: [{ group: gatewayApi, kind: one(random, ['HTTPRoute', 'Gateway']), namespace: one(random, namespaces) }],
      to: [
        one(random, [
          { group: '', kind: 'Service' },
          { group: '', kind: 'Service', name: 'u' },
          { group: '', kind: 'Secret' },
        ]),
      ],
    },
  };
}

function namespace(random: Random): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: one(random, namespaces), labels: random(2) === 0 ? { team: 't' } : {} },
  };
}

function secret(random: Random): KubeObject {
  const data = { CLOUDFLARE_API_TOKEN: 'dA==', ...(random(3) === 0 ? {} : { CLOUDFLARE_ACCOUNT_ID: 'YQ==' }) };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: one(random, namespaces), name: 'credentials' },
    type: 'Opaque',
    data,
  };
}

function policy(random: Random): KubeObject {
  return {
    apiVersion: v1,
    kind: 'BackendTLSPolicy',
    metadata: { namespace: one(random, namespaces), name: 'q' },
    spec: {
      targetRefs: [
        {
          group: '',
          kind: 'Service',
          name: one(random, ['u', 'v']),
          ...(random(2) === 0 ? { sectionName: 'web' } : {}),
        },
      ],
      validation: { hostname: 'u.test', wellKnownCACertificates: 'System' },
    },
  };
}

function deployment(random: Random): KubeObject {
  const readyReplicas = random(2);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: one(random, namespaces), name: `gateway-${one(random, ['g', 'h'])}-primary`, generation: 1 },
    spec: { replicas: 1 },
    status: { observedGeneration: random(2), readyReplicas, updatedReplicas: 1, availableReplicas: readyReplicas },
  };
}

function cloudflareState(random: Random): KubeObject {
  const hostnames = ['x.test', '*.test'].map((hostname) => ({
    hostname,
    state: one(random, ['applied', 'waiting', 'conflict']),
    message: `of ${hostname}`,
    ...(random(4) === 0 ? { otherTunnel: true } : {}),
  }));
  return {
    apiVersion: 'cloudflare-gateway-controller.io/internal',
    kind: 'CloudflareState',
    metadata: { namespace: one(random, namespaces), name: one(random, ['g', 'h']) },
    spec: {
      ...(random(3) === 0 ? {} : { tunnel: { id: 'i', address: 'i.test' }, tokenHash: 'h' }),
      hostnames,
      problems: random(3) === 0 ? [{ kind: one(random, ['transient', 'terminal']), message: 'refused' }] : [],
    },
  };
}

function grpcRoute(random: Random): KubeObject {
  return {
    apiVersion: v1,
    kind: 'GRPCRoute',
    metadata: { namespace: one(random, namespaces), name: 'rpc' },
    spec: { parentRefs: [{ namespace: one(random, namespaces), name: one(random, ['g', 'h']) }] },
  };
}

function listenerSet(random: Random): KubeObject {
  return {
    apiVersion: v1,
    kind: 'ListenerSet',
    metadata: { namespace: one(random, namespaces), name: 'more' },
    spec: { parentRef: { namespace: one(random, namespaces), name: one(random, ['g', 'h']) }, listeners: [] },
  };
}
