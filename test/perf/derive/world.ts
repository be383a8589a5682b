import { controllerName } from '../../../src/api/names.ts';
import type { KubeObject } from '../../../src/facts/object.ts';

const gateway = 'gateway.networking.k8s.io';
const apiVersion = `${gateway}/v1`;
const services = 200;

/** A class, a Gateway, its credentials, Services with a ready endpoint, and so many routes; with every default, as from the API server. */
export function world(routes: number): KubeObject[] {
  return [
    {
      apiVersion,
      kind: 'GatewayClass',
      metadata: { name: 'cloudflare', generation: 1 },
      spec: {
        controllerName,
        parametersRef: { group: '', kind: 'Secret', namespace: 'shop', name: 'cloudflare' },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace: 'shop', name: 'cloudflare' },
      type: 'Opaque',
      data: { CLOUDFLARE_API_TOKEN: btoa('token'), CLOUDFLARE_ACCOUNT_ID: btoa('account') },
    },
    {
      apiVersion,
      kind: 'Gateway',
      metadata: { namespace: 'shop', name: 'web', generation: 1 },
      spec: {
        gatewayClassName: 'cloudflare',
        listeners: [{ name: 'http', port: 80, protocol: 'HTTP', allowedRoutes: { namespaces: { from: 'Same' } } }],
      },
    },
    ...Array.from({ length: services }, (_, index) => service(index)),
    ...Array.from({ length: services }, (_, index) => slice(index)),
    ...Array.from({ length: routes }, (_, index) => route(index, 'v')),
  ];
}

/** Route `index`; another `version` gives it another path. */
export function route(index: number, version: string): KubeObject {
  return {
    apiVersion,
    kind: 'HTTPRoute',
    metadata: { namespace: 'shop', name: `r${index}`, generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      parentRefs: [{ group: gateway, kind: 'Gateway', name: 'web' }],
      hostnames: [`h${Math.floor(index / 10)}.example.com`],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: `/r${index}/${version}` } }],
          filters: [
            { type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'x-route', value: `${index}` }] } },
          ],
          backendRefs: [{ group: '', kind: 'Service', name: `s${index % services}`, port: 80, weight: 1 }],
        },
      ],
    },
  };
}

function service(index: number): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: `s${index}` },
    spec: {
      type: 'ClusterIP',
      selector: { app: `s${index}` },
      ports: [{ port: 80, targetPort: 8080, protocol: 'TCP' }],
    },
  };
}

function slice(index: number): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'shop', name: `s${index}-a`, labels: { 'kubernetes.io/service-name': `s${index}` } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [`10.0.0.${index + 1}`], conditions: { ready: true } }],
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  };
}
