import type { Command } from 'commander';
import { UsageError } from './exitcodes.ts';

/** `cfgwctl operator`: not in this release, and it says so rather than wait for nothing. */
export function operatorCommand(program: Command): void {
  program
    .command('operator')
    .alias('controller')
    .description('run the operator in a cluster (comes with the next release)')
    .argument('[arguments...]')
    .allowUnknownOption()
    .action(() => {
      throw new UsageError(
        'the operator comes with the next release; "cfgwctl render" makes the same manifests from files',
      );
    });
}
