import type { PlaneSettings } from '../plane.ts';
import { view } from '../engine/declare.ts';
import { settings } from './collections.ts';
import { splitKey } from './members.ts';
import { yes, type Verdict } from './verdict.ts';

/** What a Gateway's parameters came to: settings where the verdict is True. */
export interface Parameters {
  readonly verdict: Verdict;
  readonly settings?: PlaneSettings;
}

/** The settings of the plane a Gateway asks for. */
export const planeSettings = view('planeSettings', (key, read): Parameters => {
  const { namespace, name } = splitKey(key);
  return read(settings, 'settings').when<Parameters>({
    present: ({ spec }) => ({
      verdict: yes('Accepted', ''),
      settings: {
        tunnelName: `cloudflare-gateway-controller.io/clusters/${spec.clusterName}/namespaces/${namespace}/gateways/${name}`,
        protocol: 'http2',
        loadBalancing: 'Service',
        minReadySeconds: 600,
        patches: [],
        replicas: [{ name: 'primary' }],
        dns: { mode: 'all' },
        images: spec.images,
        imagePullSecrets: spec.imagePullSecrets,
        clusterDomain: spec.clusterDomain,
        drainPart: 'x',
      },
    }),
    absent: () => {
      throw new Error('no settings');
    },
    unknown: () => {
      throw new Error('no settings');
    },
  });
});
