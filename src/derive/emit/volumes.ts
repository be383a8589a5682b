/** What is mounted into the pod. */
import type { k8s } from 'cdk8s-plus-28';
import type { Plane } from '../plane.ts';
import { certificatesName, endpointsName, planeName, tableName } from './objectnames.ts';

/** Key of the tunnel token in its Secret, and name of the file it becomes. */
export const tokenKey = 'token';

/** Always as directories, never by subPath: a file mounted by subPath is not refreshed. */
export const mounts = {
  table: { name: 'table', mountPath: '/etc/cloudflare-gateway/table', readOnly: true },
  token: { name: 'token', mountPath: '/etc/cloudflare-gateway/token', readOnly: true },
} as const satisfies Record<string, k8s.VolumeMount>;

/** ConfigMaps a table may need at most, the first included (`src/table/pack.ts`). */
const tableParts = 8;

/** Owner and group read; the group is the pod's fsGroup. */
const defaultMode = 0o440;

/**
 * One volume feeds the proxy, so that what belongs together is swapped together. All of it is optional and named from the start: a table that
 * grows into shards, or a first certificate, rolls no pod. Source: decisions, "One projected volume".
 */
export function volumes(plane: Plane): k8s.Volume[] {
  const maps = [...Array.from({ length: tableParts }, (_, index) => tableName(plane, index)), endpointsName(plane)];
  return [
    {
      name: mounts.table.name,
      projected: {
        defaultMode,
        sources: [
          ...maps.map((name) => ({ configMap: { name, optional: true } })),
          { secret: { name: certificatesName(plane), optional: true } },
        ],
      },
    },
    {
      name: mounts.token.name,
      secret: {
        secretName: planeName(plane),
        items: [{ key: tokenKey, path: tokenKey }],
        optional: false,
        defaultMode,
      },
    },
  ];
}
