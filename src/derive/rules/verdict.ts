import type { Condition } from '../../api/conditions.ts';

/** A condition before its type and generation are known: what a rule concluded, and the sentence that says why. */
export interface Verdict {
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
}

export function yes(reason: string, message: string): Verdict {
  return { status: 'True', reason, message };
}

export function no(reason: string, message: string): Verdict {
  return { status: 'False', reason, message };
}

export function notYet(reason: string, message: string): Verdict {
  return { status: 'Unknown', reason, message };
}

/** The condition of a verdict on an object of the given generation (files have none). */
export function condition(type: string, verdict: Verdict, generation: number | undefined): Condition {
  const { status, reason, message } = verdict;
  return { type, status, reason, message, ...(generation === undefined ? {} : { observedGeneration: generation }) };
}
