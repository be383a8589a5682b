import { run } from './process.ts';
import type { Ended } from './process.ts';

export const mocha = 'node_modules/mocha/bin/mocha.js';
const c8 = 'node_modules/c8/bin/c8.js';

export const testFiles = ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'];

/** What a run of the tests came to. */
export interface Tally {
  passed: number;
  failed: number;
}

/** Reads mocha's closing summary. A run that broke off before its summary counts as one failure, so it can never look like success. */
export function tallyOf({ code, output }: Ended): Tally {
  const count = (word: string): number => Number(output.match(new RegExp(`^ *(\\d+) ${word}\\b`, 'm'))?.[1] ?? 0);
  const tally = { passed: count('passing'), failed: count('failing') };
  const silent = tally.passed + tally.failed === 0;
  return silent && code !== 0 ? { passed: 0, failed: 1 } : tally;
}

/** Runs every test under coverage, showing mocha's own output. */
export async function testsWithCoverage(): Promise<Ended & Tally> {
  const ended = await run(process.execPath, [c8, process.execPath, mocha, '--reporter', 'dot', ...testFiles], {
    show: true,
  });
  return { ...ended, ...tallyOf(ended) };
}
