import type { Command } from 'commander';

/** Lists `cfgwctl proxy` in the help; its arguments are the proxy's own and never come to commander. */
export function proxyCommand(program: Command): void {
  program
    .command('proxy')
    .description('run the reverse proxy on a published routing table; see cfgwctl proxy --help')
    .argument('[arguments...]')
    .allowUnknownOption();
}

/** `cfgwctl proxy`: the data plane's own process, with its own arguments. Resolves with the exit code. */
export async function runProxyCommand(args: readonly string[]): Promise<number> {
  const { runProxy } = await import('../proxy/run.ts');
  return runProxy(args);
}
