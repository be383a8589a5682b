/** Conditions as they are stored: those claimed, with the time of their last transition. Source: Kubernetes, meta/v1 Condition. */
import type { Condition } from '../../api/conditions.ts';

export interface StoredCondition extends Omit<Condition, 'held'> {
  /** RFC 3339, to the second. */
  readonly lastTransitionTime: string;
}

/** Of a message, in bytes. Source: the CRDs' `maxLength`. */
const longest = 32_768;

/**
 * The conditions to store. One whose status is as before keeps its time; one that is held keeps what is stored, if anything is; stored
 * ones that are not claimed are kept where `isOthers` says that they are not ours.
 */
export function mergedConditions(
  claimed: readonly Condition[],
  stored: readonly StoredCondition[],
  { now, isOthers = () => false }: { readonly now: string; readonly isOthers?: (type: string) => boolean },
): readonly StoredCondition[] {
  const before = new Map(stored.map((condition) => [condition.type, condition]));
  const types = new Set(claimed.map(({ type }) => type));
  const others = stored.filter(({ type }) => !types.has(type) && isOthers(type));
  return [...claimed.map((condition) => merged(condition, before.get(condition.type), now)), ...others];
}

function merged({ held, ...condition }: Condition, before: StoredCondition | undefined, now: string): StoredCondition {
  if (held === true && before !== undefined) return before;
  const isSame = before?.status === condition.status;
  const lastTransitionTime = isSame ? before.lastTransitionTime : now;
  return { ...condition, message: shortened(condition.message), lastTransitionTime };
}

/** Whether what is stored was concluded from a later generation than the claim: a claim from yesterday must not undo it. */
export function isOvertakenBy(
  stored: readonly StoredCondition[],
  claimed: readonly Condition[],
  generation: number | undefined,
): boolean {
  const before = new Map(stored.map((condition) => [condition.type, condition.observedGeneration]));
  return claimed.some(({ type, observedGeneration }) => {
    const seen = before.get(type);
    if (seen === undefined || observedGeneration === undefined) return false;
    // One from a generation that is yet to come is a leftover of a backup, not of a later leader.
    return seen > observedGeneration && seen <= (generation ?? seen);
  });
}

function shortened(message: string): string {
  if (message.length * 4 <= longest) return message;
  const bytes = Buffer.from(message);
  if (bytes.length <= longest) return message;
  const end = '… (shortened)';
  // A character cut in the middle becomes U+FFFD, which is taken off.
  return (
    bytes
      .subarray(0, longest - Buffer.byteLength(end) - 3)
      .toString()
      .replace(/\uFFFD+$/, '') + end
  );
}
