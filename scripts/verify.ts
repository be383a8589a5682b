/**
 * `npm run verify [-- --only NAME,NAME] [-- --list]`: the gate. Runs every step, also after a failure, so that one run shows all there is to mend.
 * Exit code 0 when all is well, 1 when a step failed, 2 when it was called wrongly. The last line is the count of the tests.
 */
import { parseArgs } from 'node:util';
import type { Outcome, Step } from './gate/step.ts';
import { steps } from './gate/steps.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, list: { type: 'boolean' } } });

process.exitCode = values.list ? list() : await verify(chosen(values.only));

function list(): number {
  for (const { name, says } of steps) console.log(`${name.padEnd(12)} ${says}`);
  return 0;
}

function chosen(only: string | undefined): Step[] {
  const names = only?.split(',') ?? steps.map((step) => step.name);
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(
      `--only names no step ${unknown.join(', ')}; the steps are ${steps.map((step) => step.name).join(', ')}`,
    );
    process.exit(2);
  }
  return steps.filter((step) => names.includes(step.name));
}

async function verify(selected: Step[]): Promise<number> {
  const start = performance.now();
  const failed: string[] = [];
  const tally = { passed: 0, failed: 0 };
  for (const step of selected) {
    const outcome = await timed(step);
    if (outcome.problem !== undefined) failed.push(step.name);
    tally.passed += outcome.tally?.passed ?? 0;
    tally.failed += outcome.tally?.failed ?? 0;
  }
  const time = `${seconds(start)} s`;
  console.log(
    failed.length === 0
      ? `all ${selected.length} steps passed in ${time}`
      : `failed after ${time}: ${failed.join(', ')}`,
  );
  if (selected.some((step) => step.name === 'tests')) console.log(`${tally.passed} passed, ${tally.failed} failed`);
  return failed.length === 0 ? 0 : 1;
}

async function timed(step: Step): Promise<Outcome> {
  const start = performance.now();
  const outcome = await step.run().catch((error: unknown): Outcome => ({ problem: String(error) }));
  const verdict = outcome.problem === undefined ? (outcome.skipped === undefined ? 'ok     ' : 'skipped') : 'FAILED ';
  if (outcome.detail !== undefined) console.log(outcome.detail.trimEnd());
  const remark = outcome.problem ?? outcome.skipped;
  console.log(
    `${verdict} ${step.name.padEnd(11)} ${seconds(start).padStart(6)} s  ${step.says}${remark === undefined ? '' : `: ${remark}`}`,
  );
  return outcome;
}

function seconds(start: number): string {
  return ((performance.now() - start) / 1000).toFixed(1);
}
