import type { k8s } from 'cdk8s-plus-28';
import type { Plane } from '../plane.ts';
import { adminPort, connectorMetricsPort } from './addresses.ts';
import { httpGet, probe, resources, restricted, termination } from './container.ts';
import { graceSeconds } from './graceperiods.ts';
import { mounts, tokenKey } from './volumes.ts';

/** Name of the container; patches and logs know it by this. */
export const connectorName = 'cloudflared';

/** Idle it holds about 40 MiB, at some thousand requests a second 50 to 76 MiB; a request costs some 200 µs of CPU. Source: cloudflared facts §7, §9. */
const defaults = resources('50m', '64Mi', '256Mi');

/**
 * cloudflared, the main container. Its preStop tells the proxy to drain while cloudflared still runs: the proxy itself gets SIGTERM only after
 * cloudflared has ended. It has no liveness probe: it ends by itself when it cannot go on, and a restart brings back no edge that is away.
 * Source: cloudflared facts §10.
 */
export function connectorContainer({ settings }: Plane): k8s.Container {
  return {
    name: connectorName,
    image: settings.images.cloudflared,
    imagePullPolicy: 'IfNotPresent',
    args: [
      'tunnel',
      '--no-autoupdate',
      '--no-prechecks',
      '--protocol',
      settings.protocol,
      '--metrics',
      `0.0.0.0:${connectorMetricsPort}`,
      '--grace-period',
      `${graceSeconds}s`,
      '--management-diagnostics=false',
      'run',
      '--token-file',
      `${mounts.token.mountPath}/${tokenKey}`,
    ],
    ports: [{ name: 'metrics', containerPort: connectorMetricsPort, protocol: 'TCP' }],
    readinessProbe: probe(connectorMetricsPort, '/ready', { periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 2 }),
    lifecycle: { preStop: { httpGet: httpGet(adminPort, `/drain/${settings.drainPart}`) } },
    resources: defaults,
    securityContext: restricted,
    volumeMounts: [mounts.token],
    ...termination,
  };
}
