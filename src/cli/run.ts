import { Command, CommanderError } from 'commander';
import { exitCodes, UsageError } from './exitcodes.ts';
import { operatorCommand } from './operator.ts';
import { proxyCommand } from './proxy.ts';
import { renderCommand } from './render.ts';
import { routeCommand } from './route.ts';
import { serveCommand } from './serve.ts';
import { coloured, type Terminal } from './terminal.ts';
import { versionCommand } from './version.ts';

const description = `Gateway API on Cloudflare Tunnel: manifests, routing and serving from files.

Exit codes: 0 fine, 1 a difference or finding at the level asked for, 2 bad input or arguments.`;

/** Runs one command line; what it comes to is in `process.exitCode`. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  // A reader that has seen enough, such as head, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.fine);
    throw error;
  });
  try {
    await program(terminal).parseAsync([...args], { from: 'user' });
  } catch (error) {
    process.exitCode = explained(error, terminal);
  }
}

function program(terminal: Terminal): Command {
  const command = new Command('cfgwctl')
    .description(description)
    .showHelpAfterError('(--help shows what there is)')
    .configureOutput({ writeOut: (text) => terminal.out.write(text), writeErr: (text) => terminal.err.write(text) })
    .exitOverride();
  renderCommand(command, terminal);
  routeCommand(command, terminal);
  serveCommand(command, terminal);
  proxyCommand(command);
  operatorCommand(command);
  versionCommand(command, terminal);
  for (const each of command.commands) each.copyInheritedSettings(command);
  return command;
}

/** Commander has said its own errors already; a mistake of ours is shown with its stack only on request. */
function explained(error: unknown, { err }: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.badInput;
  const label = coloured('red', 'error:', err);
  if (error instanceof UsageError) {
    err.write(`${label} ${error.message}\n`);
    return exitCodes.badInput;
  }
  // What the system refuses (a file that may not be read, a full disk) is told by the system's own sentence.
  if (error instanceof Error && 'syscall' in error) {
    err.write(`${label} ${error.message}\n`);
    return exitCodes.badInput;
  }
  const shown = error instanceof Error ? error : new Error(String(error));
  err.write(
    `${label} ${shown.message}\nThis is a fault of cfgwctl: run it again with CFGW_DEBUG=1 and report what it prints.\n`,
  );
  if (process.env.CFGW_DEBUG === '1') err.write(`${shown.stack ?? ''}\n`);
  return exitCodes.badInput;
}
