import type { Command } from 'commander';
import { runProxy } from '../proxy/run.ts';

/** `cfgwctl proxy`: the data plane's own process, with its own arguments. */
export function proxyCommand(program: Command): void {
  program
    .command('proxy')
    .description('run the reverse proxy on a published routing table')
    .helpOption(false)
    .allowUnknownOption()
    .argument('[arguments...]', 'see cfgwctl proxy --help')
    .action(async (_arguments: readonly string[], _options: unknown, command: Command) => {
      process.exitCode = await runProxy(command.args);
    });
}
