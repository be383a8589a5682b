/** Writes what an object's status should say, where it does not say so already. */
import { controllerName } from '../../api/names.ts';
import type { StatusClaim } from '../../derive/results.ts';
import type { KubeClient } from '../../facts/cluster/client.ts';
import type { KubeObject } from '../../facts/object.ts';
import { mergePatchBetween } from './mergepatch.ts';
import { withRetry } from './retry.ts';
import { mergeStatus, type Status } from './statusmerge.ts';
import { patchObject } from './writes.ts';

/**
 * What became of a claim. `same`: nothing was written. `stale`: what is stored was concluded from a later generation. `gone`: the object
 * is. `dropped` counts own entries for which the list had no room beside those of other controllers.
 */
export type StatusOutcome =
  | { readonly outcome: 'written'; readonly object: KubeObject; readonly dropped: number }
  | { readonly outcome: 'same'; readonly dropped: number }
  | { readonly outcome: 'stale' | 'gone' };

export interface StatusOptions {
  readonly now?: () => Date;
}

/**
 * Writes the claim into the status of `observed`, under an optimistic lock: when the object has changed meanwhile it is read again and
 * the claim put into what is there then. Throws ApiFailure. Source: gateway parameters, "What a good controller does"; field case B-10.
 */
export async function writeStatus(
  client: KubeClient,
  claim: StatusClaim,
  observed: KubeObject,
  { now = () => new Date() }: StatusOptions = {},
): Promise<StatusOutcome> {
  const outcome = await withRetry(client, observed, async (current): Promise<StatusOutcome> => {
    const merged = mergeStatus(claim, current, secondsOf(now()));
    if (merged.is === 'stale') return { outcome: 'stale' };
    const { dropped } = merged;
    const status = mergePatchBetween((current['status'] ?? {}) as Status, merged.status);
    if (status === undefined) return { outcome: 'same', dropped };
    return { outcome: 'written', object: await patchObject(client, current, { status }, 'status'), dropped };
  });
  return outcome ?? { outcome: 'gone' };
}

/** Whether a claim would write anything, without asking anybody: what a plan lists. */
export function statusDiffers(claim: StatusClaim, observed: KubeObject): boolean {
  const merged = mergeStatus(claim, observed, '1970-01-01T00:00:00Z');
  if (merged.is === 'stale') return false;
  return mergePatchBetween((observed['status'] ?? {}) as Status, merged.status) !== undefined;
}

/**
 * The claim that takes back what we once said of an object we no longer say anything of: a route that left our Gateways. Undefined
 * where nothing of ours is stored. Only for lists shared between controllers; what only we write goes with its object.
 */
export function withdrawal(object: KubeObject): StatusClaim | undefined {
  const { apiVersion, kind, metadata, status } = object;
  const stored = (status ?? {}) as Readonly<Record<string, unknown>>;
  const fields = ['parents', 'ancestors'].filter((field) => hasOwn(stored[field]));
  if (fields.length === 0) return undefined;
  const { namespace, name } = metadata;
  const claimed = Object.fromEntries(fields.map((field) => [field, []]));
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, status: claimed };
}

function hasOwn(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.some((entry: { readonly controllerName?: unknown }) => entry.controllerName === controllerName)
  );
}

/** Times of conditions have whole seconds. */
function secondsOf(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
