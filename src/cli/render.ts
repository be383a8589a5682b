import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { carryOutFiles } from '../effects/files/carryout.ts';
import { layout } from '../effects/files/layout.ts';
import { manifests } from '../effects/files/manifest.ts';
import { planFiles, type FilePlan, type FileStep } from '../effects/files/plan.ts';
import { deriveFiles, type Derived } from './derived.ts';
import { exitCodes, UsageError, type ExitCode } from './exitcodes.ts';
import { isReached, printFindings } from './findings.ts';
import { lineDifference } from './linedifference.ts';
import { withRuleOptions, type RuleOptions } from './options.ts';
import { coloured, type Terminal } from './terminal.ts';

interface RenderOptions extends RuleOptions {
  readonly output: string;
  readonly check?: true;
  readonly failOn?: 'error' | 'warning';
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
    .addOption(new Option('--fail-on <level>', 'exit 1 for findings of this level').choices(['error', 'warning']))
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
  return isReached(findings, level) ? exitCodes.differs : exitCodes.fine;
}

function toStdout({ derivation }: Derived, { out }: Terminal): ExitCode {
  out.write(manifests([...derivation.planes().values()].flatMap(({ objects }) => objects)));
  return exitCodes.fine;
}

async function toDirectory({ derivation }: Derived, options: RenderOptions, terminal: Terminal): Promise<ExitCode> {
  const directory = resolve(options.output);
  const files = layout({ planes: derivation.planes(), statuses: derivation.statuses() });
  const plan = await planned(directory, files);
  for (const refusal of plan.refusals) terminal.err.write(`${coloured('red', 'error:', terminal.err)} ${refusal}\n`);
  if (plan.refusals.length > 0) return exitCodes.badInput;
  if (options.check === true) return check(plan, terminal);
  await carryOutFiles(plan, directory);
  for (const step of plan.steps) terminal.err.write(`${stepLine(step, options.output)}\n`);
  return exitCodes.fine;
}

async function planned(directory: string, files: ReadonlyMap<string, string>): Promise<FilePlan> {
  try {
    return await planFiles(files, directory);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function check({ steps }: FilePlan, { out }: Terminal): ExitCode {
  for (const step of steps) {
    out.write(`${stepLine(step, '')}\n`);
    if (step.action === 'change') out.write(lineDifference(step.before, step.after));
  }
  return steps.some(({ action }) => action !== 'keep') ? exitCodes.differs : exitCodes.fine;
}

function stepLine(step: FileStep, directory: string): string {
  const path = directory === '' ? step.path : `${directory}/${step.path}`;
  return step.action === 'keep' ? `keep ${path}: ${step.why}` : `${step.action} ${path}`;
}
