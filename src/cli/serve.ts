import { Option, type Command } from 'commander';
import { createLogger } from '../observe/logger.ts';
import type { HostPort } from '../proxy/listen.ts';
import type { RunningProxy } from '../proxy/proxy.ts';
import { backendAddresses, unaddressed, type BackendAddresses } from './backendoption.ts';
import { deriveFiles, planeServing, type Derived } from './derived.ts';
import { exitCodes, UsageError } from './exitcodes.ts';
import { printFindings, type Said } from './findings.ts';
import { counted, follower, publish, shortHash } from './follow.ts';
import { mountDirectory, type MountedDirectory } from './mounteddirectory.ts';
import { collected, withRuleOptions, type RuleOptions } from './options.ts';
import type { Terminal } from './terminal.ts';
import { watchPaths } from './watch.ts';

interface ServeOptions extends RuleOptions {
  readonly gateway: string;
  readonly listen: string;
  readonly admin?: string;
  readonly backend?: readonly string[];
  readonly verbose?: true;
}

const examples = `
Examples:
  cfgwctl serve -f docs/examples --gateway shop/web --listen 127.0.0.1:8080 \\
    --backend shop/storefront-blue:8080=127.0.0.1:3000
  curl -H 'Host: www.shop.example' http://127.0.0.1:8080/

Edit a file: the proxy follows, and a file that cannot be used changes nothing. Ctrl-C ends it.
Backends without --backend are dialled by their name in the cluster.
Exit codes: 0 ended by a signal, 2 bad input or an address that cannot be listened on.`;

/** Milliseconds for requests in flight when serving ends. */
const graceMs = 2000;

/** `cfgwctl serve`: the proxy on the table of one Gateway, on this machine: try a change before it is merged. */
export function serveCommand(program: Command, terminal: Terminal): void {
  withRuleOptions(program.command('serve').description('serve the routes of one Gateway on this machine'))
    .requiredOption('--gateway <namespace/name>', 'the Gateway to serve')
    .requiredOption('--listen <host:port>', 'where to listen')
    .option('--admin <host:port>', 'where health, status and metrics are answered')
    .addOption(
      new Option('--backend <service=address>', 'NAMESPACE/SERVICE:PORT=HOST:PORT; may be repeated').argParser(
        collected,
      ),
    )
    .option('--verbose', "print the proxy's log")
    .addHelpText('after', examples)
    .action(async (options: ServeOptions) => {
      if (options.filename.includes('-'))
        throw new UsageError('serve reads its files again when they change, and stdin can be read once: name files');
      const listening = addressesOf(options);
      const addresses = backendAddresses(options.backend ?? []);
      const derived = await deriveFiles(options, terminal);
      if (derived !== undefined) await serve({ derived, options, addresses, listening }, terminal);
    });
}

interface Listening {
  readonly listen: HostPort;
  readonly admin?: HostPort;
}

interface Service {
  readonly derived: Derived;
  readonly options: ServeOptions;
  readonly addresses: BackendAddresses;
  readonly listening: Listening;
}

async function serve(service: Service, terminal: Terminal): Promise<void> {
  const { derived, options, addresses } = service;
  const plane = planeServing(options.gateway, derived);
  if (typeof plane === 'string') throw new UsageError(plane);
  const elsewhere = unaddressed(plane, addresses);
  const said: Said = new Set();
  printFindings(derived.derivation.findings(), derived.input.facts, { terminal, said });
  if (elsewhere.length > 0)
    terminal.err.write(`dialled by their names in the cluster, as no --backend names them: ${elsewhere.join(', ')}\n`);
  const ended = untilSignal();
  const directory = await mountDirectory();
  try {
    await publish(plane, { addresses, directory });
    const proxy = await start(service, directory);
    await proxy.ready;
    const rules = counted(proxy.status().rules, 'rule');
    const admin = proxy.adminUrl === '' ? '' : `, status on ${proxy.adminUrl}/status`;
    terminal.err.write(
      `serving Gateway ${options.gateway} on ${proxy.url}, table ${shortHash(plane)}, ${rules}${admin}\n`,
    );
    const session = { derived, options, addresses, directory, proxy, said };
    const stopWatching = await watchPaths(options.filename, follower(session, terminal));
    await ended;
    stopWatching();
    await proxy.stop(graceMs);
    process.exitCode = exitCodes.fine;
  } finally {
    await directory.remove();
  }
}

async function start({ options, listening }: Service, { path }: MountedDirectory): Promise<RunningProxy> {
  const { startProxy } = await import('../proxy/proxy.ts');
  const logger = options.verbose === true ? { logger: createLogger({ level: 'info' }) } : {};
  try {
    return await startProxy({ ...listening, table: path, ...logger });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once, as the system does by itself. */
function untilSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  return promise;
}

function addressesOf({ listen, admin }: ServeOptions): Listening {
  return {
    listen: hostPort('--listen', listen),
    ...(admin === undefined ? {} : { admin: hostPort('--admin', admin) }),
  };
}

function hostPort(option: string, text: string): HostPort {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(`${option} ${text} is not HOST:PORT, as 127.0.0.1:8080`);
  return { host, port: Number(port) };
}
