/** What a finished proxy is to reach on one core; a goal missed is shown, but is no error: neighbours on the machine can cause it. */
import type { Row } from './part.ts';

interface Goal {
  readonly id: string;
  readonly peer?: string;
  /** Least ratio to the peer, or greatest value. */
  readonly ratio?: number;
  readonly value?: number;
}

const goals: readonly Goal[] = [
  { id: 'http-1k', peer: 'nginx', ratio: 0.4 },
  { id: 'http-1k', peer: 'go', ratio: 0.9 },
  { id: 'match-10k', value: 20 },
  { id: 'match-10k-10hosts', value: 20 },
  { id: 'reload-10k', value: 150 },
  { id: 'reload-10k-10hosts', value: 150 },
  { id: 'reload-10k-stall', value: 20 },
  { id: 'derive-500-one', value: 2 },
];

export interface Verdict {
  readonly goal: string;
  readonly isMet: boolean;
}

export function verdictOn(row: Row): Verdict | undefined {
  const goal = goals.find(({ id, peer }) => id === row.id && peer === row.peer);
  if (!goal) return undefined;
  if (goal.ratio !== undefined) return { goal: `≥ ${goal.ratio.toFixed(2)}`, isMet: (row.ratio ?? 0) >= goal.ratio };
  return { goal: `≤ ${goal.value} ${row.unit}`, isMet: row.value <= (goal.value ?? 0) };
}
