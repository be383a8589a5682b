import { planeSelector } from '../derive/emit/labels.ts';
import type { PlaneResult } from '../derive/results.ts';
import { isFailure } from '../facts/cluster/failure.ts';
import { patchObject } from '../effects/kube/writes.ts';
import { tableHash } from '../table/hash.ts';
import type { Parts } from './parts.ts';

const annotations = {
  table: 'cloudflare-gateway-controller.io/table',
  mounted: 'cloudflare-gateway-controller.io/mounted',
} as const;

/**
 * Kubelet looks at a pod's volumes anew when the pod changes: so the pods of a plane are told the name of its table, and one of all that
 * is mounted beside it, and have it within a second instead of a minute. Source: DESIGN, "Delivery".
 */
export async function pokePods({ store, client, logger }: Parts, result: PlaneResult): Promise<void> {
  const { plane, table, endpoints, certificates } = result;
  const mounted = tableHash(JSON.stringify([table.hash, tableHash(endpoints), certificates?.hash]));
  const wanted = Object.entries(planeSelector(plane));
  const pods = [...store.keys('Pod')]
    .filter((key) => key.startsWith(`${plane.namespace}/`))
    .flatMap((key) => store.get('Pod', key) ?? [])
    .filter(({ metadata }) => wanted.every(([key, value]) => metadata.labels?.[key] === value));
  await Promise.all(
    pods.map(async ({ apiVersion, kind, metadata: { name, namespace, uid } }) => {
      // Without a resourceVersion: a pod's status changes all the time, and this concerns nothing in it.
      const pod = {
        apiVersion,
        kind,
        metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...(uid === undefined ? {} : { uid }) },
      };
      try {
        await patchObject(client, pod, {
          metadata: { annotations: { [annotations.table]: table.hash, [annotations.mounted]: mounted } },
        });
      } catch (error) {
        // A pod that has gone needs no table, and one that is not told now looks by itself within a minute.
        if (!isFailure(error, 'notFound', 'conflict'))
          logger.warn('a pod could not be told of its table', { pod: name, error });
      }
    }),
  );
}
