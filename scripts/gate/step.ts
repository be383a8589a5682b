import type { Tally } from './tests.ts';

/** What a step came to: `problem` says in a sentence why it failed, `detail` is what the tool printed. */
export interface Outcome {
  problem?: string;
  detail?: string;
  skipped?: string;
  tally?: Tally;
}

/** One check of the gate. `npm run verify -- --only NAME,NAME` runs some of them. */
export interface Step {
  name: string;
  says: string;
  run: () => Promise<Outcome>;
}
