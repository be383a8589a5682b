import { Command, CommanderError } from 'commander';
import { exitCodes, UsageError } from './exitcodes.ts';
import { operatorCommand, runOperatorCommand } from './operator.ts';
import { proxyCommand, runProxyCommand } from './proxy.ts';
import { renderCommand } from './render.ts';
import { routeCommand } from './route.ts';
import { serveCommand } from './serve.ts';
import { printError, type Terminal } from './terminal.ts';
import { versionCommand } from './version.ts';

const description = `Gateway API on Cloudflare Tunnel: manifests, routing and serving from files.`;

const footer = `
Examples:
  cfgwctl render -f manifests -o rendered
  cfgwctl route -f manifests GET https://www.shop.example/cart
  cfgwctl serve -f manifests --gateway shop/web --listen 127.0.0.1:8080 --backend shop/cart:80=127.0.0.1:3000

Exit codes: 0 fine, 1 a difference or a finding at the level asked for, 2 bad input or arguments.
Messages go to stderr, in colours on a terminal unless NO_COLOR is set.`;

/** Runs one command line; what it comes to is in `process.exitCode`. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  // A reader that has seen enough, such as head, is no error.
  const endOfPipe = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.fine);
    throw error;
  };
  process.stdout.on('error', endOfPipe);
  process.stderr.on('error', endOfPipe);
  try {
    const [command, ...rest] = args;
    if (command === 'proxy') process.exitCode = await runProxyCommand(rest);
    else if (command === 'operator' || command === 'controller') process.exitCode = await runOperatorCommand(rest);
    else await program(terminal).parseAsync([...args], { from: 'user' });
  } catch (error) {
    process.exitCode = explained(error, args, terminal);
  }
}

function program(terminal: Terminal): Command {
  const command = new Command('cfgwctl')
    .description(description)
    .option('--debug', 'show the stack of an unexpected error, as CFGW_DEBUG=1 does')
    .addHelpText('after', footer)
    .showHelpAfterError('(--help shows what there is)')
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      outputError: (text) => printError(text.replace(/^error: /, '').trimEnd(), terminal),
    })
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
function explained(error: unknown, args: readonly string[], terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.badInput;
  const shown = error instanceof Error ? error : new Error(String(error));
  const isDebug = args.includes('--debug') || process.env.CFGW_DEBUG === '1';
  // What the system refuses (a file that may not be read, a full disk) is told by the system's own sentence.
  const isOurs = !(error instanceof UsageError) && !('syscall' in shown);
  printError(shown.message, terminal);
  if (isOurs)
    terminal.err.write(
      'This is a fault of cfgwctl, not of the input. Run it again with --debug and report the command and what it prints.\n',
    );
  if (isDebug) terminal.err.write(`${shown.stack ?? ''}\n`);
  return exitCodes.badInput;
}
