import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { carryOutFiles } from '../effects/files/carryout.ts';
import { lineDifference } from '../effects/files/difference.ts';
import { inventoryFile } from '../effects/files/inventory.ts';
import { layout } from '../effects/files/layout.ts';
import { manifests } from '../effects/files/manifest.ts';
import { planFiles, type FilePlan, type FileStep } from '../effects/files/plan.ts';
import { deriveFiles, type Derived } from './derived.ts';
import { exitCodes, UsageError, type ExitCode } from './exitcodes.ts';
import { isReached, printFindings, type FailLevel } from './findings.ts';
import { withRuleOptions, type RuleOptions } from './options.ts';
import { printError, progress, type Terminal } from './terminal.ts';

interface RenderOptions extends RuleOptions {
  readonly output: string;
  readonly check?: true;
  readonly failOn?: FailLevel;
  readonly strict?: true;
}

const examples = `
Examples:
  cfgwctl render -f docs/examples                      all objects to stdout
  cfgwctl render -f docs/examples -o rendered          one folder per Gateway, stale files removed
  cfgwctl render -f docs/examples -o rendered --check  in CI: exit 1 if rendered/ is not what would be written
  kustomize build overlays/prod | cfgwctl render -f -  from stdin

Exit codes: 0 fine, 1 --check found differences or --fail-on a finding, 2 bad input.`;

/** `cfgwctl render`: the manifests of every Gateway, for review in Git. */
export function renderCommand(program: Command, terminal: Terminal): void {
  withRuleOptions(program.command('render').description('write the manifests of each Gateway'))
    .addOption(new Option('-o, --output <directory>', 'directory to write, or - for stdout').default('-'))
    .option('--check', 'write nothing; exit 1 if the directory differs')
    .addOption(
      new Option('--fail-on <level>', 'exit 1 for findings of this level or above').choices(['error', 'warning']),
    )
    .option('--strict', 'the same as --fail-on warning')
    .addHelpText('after', examples)
    .action(async (options: RenderOptions) => {
      if (options.check === true && options.output === '-')
        throw new UsageError('--check compares a directory; name it with -o DIRECTORY');
      const derived = await deriveFiles(options, terminal);
      if (derived !== undefined) process.exitCode = await render(derived, options, terminal);
    });
}

async function render(derived: Derived, options: RenderOptions, terminal: Terminal): Promise<ExitCode> {
  const { derivation, input } = derived;
  const findings = derivation.findings();
  printFindings(findings, input.facts, { terminal });
  const written = options.output === '-' ? toStdout(derived, terminal) : await toDirectory(derived, options, terminal);
  if (written !== exitCodes.fine) return written;
  const level = options.strict === true ? 'warning' : options.failOn;
  return isReached([...input.messages, ...findings], level) ? exitCodes.differs : exitCodes.fine;
}

function toStdout({ derivation }: Derived, { out }: Terminal): ExitCode {
  out.write(manifests([...derivation.planes().values()].flatMap(({ objects }) => objects)));
  return exitCodes.fine;
}

async function toDirectory({ derivation }: Derived, options: RenderOptions, terminal: Terminal): Promise<ExitCode> {
  const directory = resolve(options.output);
  const plan = await planned(directory, layout({ planes: derivation.planes(), statuses: derivation.statuses() }));
  for (const refusal of plan.refusals) printError(`${options.output}/${refusal}`, terminal);
  if (plan.refusals.length > 0) return exitCodes.badInput;
  if (options.check === true) return check(plan, options.output, terminal);
  for (const step of plan.steps) {
    if (step.action === 'keep') terminal.err.write(`kept ${options.output}/${step.path}: ${step.why}\n`);
    if (step.action === 'change' && step.edited)
      terminal.err.write(`overwriting ${options.output}/${step.path}, which was edited after it was written\n`);
  }
  await carryOutFiles(plan, directory, (step) => progress(`${step.action} ${options.output}/${step.path}`, terminal));
  terminal.err.write(`${options.output}: ${summary(plan)}\n`);
  return exitCodes.fine;
}

async function planned(directory: string, files: ReadonlyMap<string, string>): Promise<FilePlan> {
  try {
    return await planFiles(files, directory);
  } catch (error) {
    throw new UsageError(`${directory}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `3 created, 1 changed, 1 deleted, 20 unchanged`. */
function summary({ steps, inventory }: FilePlan): string {
  const count = (action: FileStep['action']): number => steps.filter((step) => step.action === action).length;
  const [created, changed, deleted, kept] = [count('create'), count('change'), count('delete'), count('keep')];
  const same = inventory.size - created - changed - kept;
  return `${created} created, ${changed} changed, ${deleted} deleted, ${same} unchanged${kept > 0 ? `, ${kept} kept` : ''}`;
}

const differences = { create: 'missing', change: 'differs', delete: 'stale', keep: 'stale and edited' } as const;

function check({ steps, isInventoryStale }: FilePlan, directory: string, { out, err }: Terminal): ExitCode {
  for (const step of steps) {
    out.write(`${directory}/${step.path}: ${differences[step.action]}\n`);
    if (step.action === 'change') out.write(lineDifference(step.before, step.after));
  }
  if (steps.length === 0 && !isInventoryStale) return exitCodes.fine;
  if (isInventoryStale) out.write(`${directory}/${inventoryFile}: differs\n`);
  err.write('not what the files render to; run the same command without --check\n');
  return exitCodes.differs;
}
