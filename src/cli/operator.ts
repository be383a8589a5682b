import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { UsageError } from './exitcodes.ts';

/** Lists `cfgwctl operator` in the help; its arguments are the operator's own and never come to commander. */
export function operatorCommand(program: Command): void {
  program
    .command('operator')
    .alias('controller')
    .description('run the operator against a cluster; see cfgwctl operator --help')
    .argument('[arguments...]')
    .allowUnknownOption();
}

/** The operator's own program: beside the bundle, or in the checkout. cfgwctl's bundle holds no Kubernetes client. Decisions, "Names". */
const places = ['./operator.mjs', '../operator/main.ts'];

interface OperatorModule {
  readonly runOperator: (args: readonly string[]) => Promise<number>;
}

/** `cfgwctl operator`: runs the operator from its own program. Resolves with the exit code. */
export async function runOperatorCommand(args: readonly string[]): Promise<number> {
  const place = places.map((each) => new URL(each, import.meta.url)).find((url) => existsSync(fileURLToPath(url)));
  if (place === undefined) throw new UsageError('operator.mjs is not beside cfgwctl.mjs; install both from one build');
  const { runOperator } = (await import(place.href)) as OperatorModule;
  return runOperator(args);
}
