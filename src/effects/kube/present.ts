import type { KubeClient } from '../../facts/cluster/client.ts';
import { isFailure } from '../../facts/cluster/failure.ts';
import { resourceOf } from '../../facts/cluster/kinds.ts';
import { getObject } from '../../facts/cluster/reads.ts';
import type { KubeObject } from '../../facts/object.ts';

/** The object as it is now; undefined if it is gone. */
export async function presentObject(client: KubeClient, object: KubeObject): Promise<KubeObject | undefined> {
  try {
    return await getObject(client, resourceOf(object), object.metadata);
  } catch (error) {
    if (isFailure(error, 'notFound')) return undefined;
    throw error;
  }
}
