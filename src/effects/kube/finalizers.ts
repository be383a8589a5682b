/** Our finalizers on objects of others; theirs stay as they are. */
import type { KubeClient } from '../../facts/cluster/client.ts';
import type { KubeObject } from '../../facts/object.ts';
import { withRetry } from './retry.ts';
import { patchObject } from './writes.ts';

/**
 * Sees to it that the object has the finalizer. Nothing is written if it has, or if it is being deleted already (the API server would
 * refuse). Gives the object as it is then; undefined if it is gone.
 */
export function addFinalizer(
  client: KubeClient,
  object: KubeObject,
  finalizer: string,
): Promise<KubeObject | undefined> {
  return withRetry(client, object, async (current) => {
    const { finalizers = [], deletionTimestamp } = current.metadata;
    if (finalizers.includes(finalizer) || deletionTimestamp !== undefined) return current;
    return patchObject(client, current, { metadata: { finalizers: [...finalizers, finalizer] } });
  });
}

/** Sees to it that the object does not have it. Gives the object as it is then; undefined if it is gone, as it may be by this. */
export function removeFinalizer(
  client: KubeClient,
  object: KubeObject,
  finalizer: string,
): Promise<KubeObject | undefined> {
  return withRetry(client, object, async (current) => {
    const { finalizers = [] } = current.metadata;
    if (!finalizers.includes(finalizer)) return current;
    return patchObject(client, current, { metadata: { finalizers: finalizers.filter((each) => each !== finalizer) } });
  });
}
