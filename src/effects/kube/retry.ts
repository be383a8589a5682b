import type { KubeClient } from '../../facts/cluster/client.ts';
import { isFailure } from '../../facts/cluster/failure.ts';
import type { KubeObject } from '../../facts/object.ts';
import { presentObject } from './present.ts';

/** How often an object is read again before somebody else's writes are waited out. */
const tries = 5;

/**
 * Changes an object under an optimistic lock: `change` writes from what it is given, and is called again with the object as it is now
 * whenever it had changed meanwhile. Undefined: the object is gone, or another of its name is there. Throws ApiFailure, `conflict` after
 * five attempts.
 */
export async function withRetry<T>(
  client: KubeClient,
  object: KubeObject,
  change: (current: KubeObject) => Promise<T>,
): Promise<T | undefined> {
  let current = object;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change(current);
    } catch (error) {
      if (isFailure(error, 'notFound')) return undefined;
      if (!isFailure(error, 'conflict') || attempt >= tries) throw error;
    }
    const now = await presentObject(client, object);
    if (now === undefined || now.metadata.uid !== object.metadata.uid) return undefined;
    current = now;
  }
}
