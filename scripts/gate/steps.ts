import { existsSync } from 'node:fs';
import { run } from './process.ts';
import type { Ended } from './process.ts';
import { projectFiles } from './project-files.ts';
import type { Outcome, Step } from './step.ts';
import { testsWithCoverage } from './tests.ts';

const node = process.execPath;

/** A tool that reports by its exit code. */
async function tool(
  command: string,
  args: string[],
  judge: (ended: Ended) => string | undefined = () => undefined,
): Promise<Outcome> {
  const ended = await run(command, args);
  const problem = ended.code === 0 ? judge(ended) : `${command === node ? args[0] : command} ended with ${ended.code}`;
  return problem === undefined ? {} : { problem, detail: ended.output };
}

/** A script of this project that another part of the work brings. */
async function script(path: string, ...args: string[]): Promise<Outcome> {
  return existsSync(path) ? tool(node, [path, ...args]) : { skipped: `${path} does not exist` };
}

/** With a faulty tsconfig oxlint lints on without types and may still end with 0. */
const typesWereRead = ({ output }: Ended): string | undefined =>
  /invalid tsconfig/i.test(output)
    ? 'oxlint could not read tsconfig.json, so no rule that needs types was checked'
    : undefined;

/** With a compiler it does not know dependency-cruiser finds no module at all, and so no fault. */
const modulesWereRead = ({ output }: Ended): string | undefined =>
  Number(output.match(/(\d+) modules/)?.[1] ?? 0) > 0 ? undefined : 'dependency-cruiser read no modules';

async function tests(): Promise<Outcome> {
  const { code, passed, failed } = await testsWithCoverage();
  const tally = { passed, failed };
  if (failed > 0) return { tally, problem: `${failed} of ${passed + failed} tests failed` };
  if (passed === 0) return { tally, problem: 'no test ran' };
  return code === 0 ? { tally } : { tally, problem: 'coverage fell below the limits in .c8rc.json' };
}

/** The gate, in order: cheap and telling checks first. A new check is one more line here. */
export const steps: Step[] = [
  { name: 'project', says: 'projen writes what is committed', run: projectFiles },
  { name: 'format', says: 'oxfmt', run: () => tool('oxfmt', ['--check', '.']) },
  { name: 'lint', says: 'oxlint with types', run: () => tool('oxlint', [], typesWereRead) },
  { name: 'types', says: 'tsc', run: () => tool(node, ['node_modules/typescript/bin/tsc', '-p', '.']) },
  {
    name: 'arrows',
    says: 'import directions (dependency-cruiser)',
    run: () => tool('depcruise', ['--config', '.dependency-cruiser.json', ...folders()], modulesWereRead),
  },
  { name: 'unused', says: 'unused code and dependencies (knip)', run: () => tool('knip', ['--no-progress']) },
  { name: 'imports', says: 'generated imports are up to date', run: () => script('scripts/imports.ts', '--check') },
  {
    name: 'table',
    says: 'schema and validators of the table are up to date',
    run: () => script('scripts/table-schema.ts', '--check'),
  },
  {
    name: 'chart',
    says: 'what is generated of the chart is up to date',
    run: () => script('scripts/chart.ts', '--check'),
  },
  { name: 'bundles', says: 'three bundles in dist/', run: () => script('scripts/compile.ts', '--quiet') },
  { name: 'tests', says: 'mocha with coverage', run: tests },
  { name: 'quickstart', says: 'the main job on the example files', run: () => script('scripts/quickstart.ts') },
];

function folders(): string[] {
  return ['src', 'imports', 'scripts', 'test'].filter((folder) => existsSync(folder));
}
