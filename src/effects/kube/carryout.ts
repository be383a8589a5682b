/** Carries out one step of a plan. Each step can be repeated, and each can be the last before a crash. */
import type { KubeClient } from '../../facts/cluster/client.ts';
import { isFailure } from '../../facts/cluster/failure.ts';
import type { KubeObject } from '../../facts/object.ts';
import { otherOwners, type ObjectStep } from './objectplan.ts';
import { refusal, type PlaneScope } from './ownership.ts';
import { presentObject } from './present.ts';
import { applyObject, deleteObject, patchObject } from './writes.ts';

/** What became of a step: `stale` where the object is another than the plan was made for, and the next plan will see it. */
export type Carried =
  | { readonly outcome: 'written'; readonly object: KubeObject }
  | { readonly outcome: 'deleted' }
  | { readonly outcome: 'stale'; readonly why: string }
  | { readonly outcome: 'refused'; readonly why: string };

/** Throws ApiFailure for what is neither done nor overtaken. */
export async function carryOut(client: KubeClient, step: ObjectStep, scope: PlaneScope): Promise<Carried> {
  try {
    switch (step.action) {
      case 'create':
        return await create(client, step.object, scope);
      case 'update':
        return { outcome: 'written', object: await applyObject(client, step.object) };
      case 'disown': {
        const ownerReferences = otherOwners(step.object, scope);
        return {
          outcome: 'written',
          object: await patchObject(client, step.object, { metadata: { ownerReferences } }),
        };
      }
      case 'delete':
        await deleteObject(client, step.object);
        return { outcome: 'deleted' };
    }
  } catch (error) {
    if (isFailure(error, 'notFound') && step.action === 'delete') return { outcome: 'deleted' };
    if (isFailure(error, 'conflict') || isOvertaken(error)) return { outcome: 'stale', why: error.message };
    throw error;
  }
}

/**
 * What the watch does not show may still be there: an object without our labels, or one that was made a moment ago. So it is looked up,
 * and what is not ours is left alone; and the apply does not take over fields, should somebody make the object in between.
 */
async function create(client: KubeClient, object: KubeObject, scope: PlaneScope): Promise<Carried> {
  const before = await presentObject(client, object);
  if (before === undefined) return { outcome: 'written', object: await applyObject(client, object, { force: false }) };
  const why = refusal(scope, before);
  if (why !== undefined) return { outcome: 'refused', why };
  const { uid } = before.metadata;
  const metadata = uid === undefined ? object.metadata : { ...object.metadata, uid };
  return { outcome: 'written', object: await applyObject(client, { ...object, metadata }) };
}

/** The API server's word for an apply with the uid of an object that was deleted and made again. */
function isOvertaken(error: unknown): error is Error {
  return isFailure(error, 'invalid') && error.message.includes('metadata.uid');
}
