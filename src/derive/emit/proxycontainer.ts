import type { k8s } from 'cdk8s-plus-28';
import type { Plane } from '../plane.ts';
import { adminPort, tunnelDoor } from './addresses.ts';
import { probe, resources, restricted, termination } from './container.ts';
import { firstTableSeconds, graceSeconds } from './graceperiods.ts';
import { mounts } from './volumes.ts';

/** Name of the container; patches and logs know it by this. */
export const proxyName = 'proxy';

/**
 * Idle a proxy holds about 75 MiB, under load 150 to 225 MiB; the rest is for a large table while it is replaced. A request costs some 60 to
 * 100 µs of CPU. Measured with Node 26 on two shared cores.
 */
const defaults = resources('100m', '128Mi', '512Mi');

/**
 * The reverse proxy as a native sidecar: it starts before cloudflared and stops after it, so no request that the tunnel accepted finds it gone.
 * It counts as started once it has a table. While the process lives it is restarted only after a minute without an answer, as every restart
 * costs requests.
 */
export function proxyContainer({ settings }: Plane): k8s.Container {
  return {
    name: proxyName,
    image: settings.images.proxy,
    imagePullPolicy: 'IfNotPresent',
    restartPolicy: 'Always',
    // Short-lived objects of requests are collected more cheaply in a young generation of 8 MiB; measured by the benchmark, which starts the proxy so.
    command: ['/app/bin/node', '--max-semi-space-size=8', '/app/proxy.mjs'],
    args: [
      '--listen',
      `${tunnelDoor.host}:${tunnelDoor.port}`,
      '--admin',
      `0.0.0.0:${adminPort}`,
      '--table',
      mounts.table.mountPath,
      '--grace-period',
      `${graceSeconds}`,
      '--first-table',
      `${firstTableSeconds}`,
      '--drain-path',
      settings.drainPart,
      // Which ports there are is in the table, so that a new one rolls no pod.
      ...(settings.service === undefined ? [] : ['--doors', '0.0.0.0']),
    ],
    ports: [{ name: 'admin', containerPort: adminPort, protocol: 'TCP' }],
    // One second each, and a little longer than the proxy itself waits for its first table.
    startupProbe: probe(adminPort, '/readyz', {
      periodSeconds: 1,
      timeoutSeconds: 1,
      failureThreshold: firstTableSeconds + 10,
    }),
    readinessProbe: probe(adminPort, '/readyz', { periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 2 }),
    livenessProbe: probe(adminPort, '/healthz', { periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }),
    resources: defaults,
    securityContext: restricted,
    volumeMounts: [mounts.table],
    ...termination,
  };
}
