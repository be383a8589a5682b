/** What a part of the benchmark is given and gives back. */
import type { Cores } from './cores.ts';
import type { Workshop } from './workshop.ts';

/** One line of `results/latest.json`. With `peer`, `value` is the peer's figure, and a `ratio` above 1 means that ours is better. */
export interface Row {
  readonly id: string;
  /** Median of the rounds. */
  readonly value: number;
  readonly unit: Unit;
  readonly min: number;
  readonly max: number;
  readonly peer?: string;
  readonly ratio?: number;
}

export type Unit = 'req/s' | 'µs' | 'ms';

export interface Bench {
  readonly cores: Cores;
  readonly workshop: Workshop;
  /** Shorter measurements, for trying things out. */
  readonly isQuick: boolean;
  /** Shows what is being done; only on a terminal. */
  readonly progress: (what: string) => void;
  /** A sentence that stays on the screen. */
  readonly note: (sentence: string) => void;
}

export interface Part {
  readonly name: string;
  readonly says: string;
  /** Rows of these ids belong to the part: they are replaced when it runs, and kept when it does not. */
  readonly ids: readonly string[];
  /** Throws CheckFailed when what was to be measured did not work. */
  run(bench: Bench): Promise<readonly Row[]>;
}
