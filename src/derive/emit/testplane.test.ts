/** The data plane that the tests of this folder start from. Frozen, as facts are: emitting may change nothing that it is given. */
import type { Plane, PlaneSettings } from '../plane.ts';

const settings: PlaneSettings = {
  tunnelName: 'cloudflare-gateway-controller.io/clusters/test/namespaces/shop/gateways/web',
  protocol: 'http2',
  loadBalancing: 'Service',
  minReadySeconds: 600,
  patches: [],
  replicas: [{ name: 'primary' }],
  dns: { mode: 'all' },
  images: { proxy: 'registry.example/proxy:1', cloudflared: 'registry.example/cloudflared:1' },
  imagePullSecrets: [],
  clusterDomain: 'cluster.local',
  controllerNamespace: 'gateway-system',
  drainPart: 'secret-part',
};

/** Gateway `shop/web`, or another, with some settings replaced. */
export function testPlane(given: Partial<PlaneSettings> = {}, name = 'web'): Plane {
  return frozen({
    id: `shop/${name}`,
    namespace: 'shop',
    name,
    gatewayClassName: 'cloudflare',
    gateways: [`shop/${name}`],
    labels: {},
    annotations: {},
    ports: [
      { port: 80, protocol: 'HTTP' },
      { port: 443, protocol: 'HTTPS' },
    ],
    settings: { ...settings, ...given },
  });
}

export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const field of Object.values(value)) frozen(field);
    Object.freeze(value);
  }
  return value;
}
