import { Option, type Command } from 'commander';
import type { PlaneResult } from '../derive/results.ts';
import { createLogger } from '../observe/logger.ts';
import { startProxy, type HostPort, type RunningProxy } from '../proxy/proxy.ts';
import { packTable } from '../table/pack.ts';
import { tableVersion } from '../table/document.ts';
import { backendAddresses, checkAddresses, withAddresses, type BackendAddresses } from './backendoption.ts';
import { deriveFiles, planeServing, type Derived } from './derived.ts';
import { exitCodes, UsageError } from './exitcodes.ts';
import { readInput, updateInput, type Input } from './facts.ts';
import { printFindings, type Said } from './findings.ts';
import { mountDirectory, type MountedDirectory } from './mounteddirectory.ts';
import { settingsOf, withRuleOptions, type RuleOptions } from './options.ts';
import { printMessage, type Terminal } from './terminal.ts';
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
    --backend shop/storefront:80=127.0.0.1:3000
  curl -H 'Host: www.shop.example' http://127.0.0.1:8080/

Edit a file: the proxy follows, and a file that cannot be used changes nothing. Ctrl-C ends it.
Exit codes: 0 ended by a signal, 2 bad input or an address that cannot be listened on.`;

/** `cfgwctl serve`: the proxy on the table of one Gateway, on this machine: try a change before it is merged. */
export function serveCommand(program: Command, terminal: Terminal): void {
  withRuleOptions(program.command('serve').description('serve the routes of one Gateway on this machine'))
    .requiredOption('--gateway <namespace/name>', 'the Gateway to serve')
    .requiredOption('--listen <host:port>', 'where to listen')
    .option('--admin <host:port>', 'where health, status and metrics are answered')
    .addOption(
      new Option('--backend <service=address>', 'NAMESPACE/SERVICE:PORT=HOST:PORT; may be repeated').argParser(
        (text: string, before: readonly string[] | undefined) => [...(before ?? []), text],
      ),
    )
    .option('--verbose', "print the proxy's log")
    .addHelpText('after', examples)
    .action(async (options: ServeOptions) => {
      if (options.filename.includes('-'))
        throw new UsageError('serve follows files, and stdin is read once: name files');
      const addresses = backendAddresses(options.backend ?? []);
      const derived = await deriveFiles(options, terminal);
      if (derived !== undefined) await serve({ derived, options, addresses }, terminal);
    });
}

interface Session {
  readonly derived: Derived;
  readonly options: ServeOptions;
  readonly addresses: BackendAddresses;
}

async function serve(session: Session, terminal: Terminal): Promise<void> {
  const { derived, options, addresses } = session;
  const plane = servedPlane(session);
  checkAddresses(plane, addresses);
  const printed: Said = new Set();
  printFindings(derived.derivation.findings(), derived.input.facts, { terminal, said: printed });
  const directory = await mountDirectory();
  try {
    await publish(plane, addresses, directory);
    const proxy = await listen(options, directory);
    await proxy.ready;
    terminal.err.write(`serving ${options.gateway} on ${proxy.url}, table ${plane.table.hash.slice(0, 12)}\n`);
    const stop = await follow({ ...session, directory, proxy, printed }, terminal);
    await ended();
    stop();
    await proxy.stop(1000);
    process.exitCode = exitCodes.fine;
  } finally {
    await directory.remove();
  }
}

function servedPlane({ derived, options }: Session): PlaneResult {
  const id = planeServing(options.gateway, derived);
  const plane = derived.derivation.planes().get(id);
  if (plane === undefined) throw new UsageError(`Gateway ${options.gateway} is not served`);
  return plane;
}

async function listen(options: ServeOptions, { path }: MountedDirectory): Promise<RunningProxy> {
  try {
    return await startProxy({
      listen: hostPort('--listen', options.listen),
      ...(options.admin === undefined ? {} : { admin: hostPort('--admin', options.admin) }),
      table: path,
      ...(options.verbose === true ? { logger: createLogger({ level: 'info' }) } : {}),
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The files of the table and of the endpoints, as the pods would find them. */
async function publish(plane: PlaneResult, addresses: BackendAddresses, directory: MountedDirectory): Promise<void> {
  const packed = packTable(tableVersion, plane.table.text);
  if (packed.tooLarge !== undefined)
    throw new UsageError(
      `the routing table is too large: ${packed.tooLarge.bytes} bytes compressed, ${packed.tooLarge.limit} at most`,
    );
  await directory.write(
    new Map<string, string | Uint8Array>([
      ...packed.files.map(({ name, content }) => [name, content] as const),
      ['endpoints.json', withAddresses(plane, addresses)],
    ]),
  );
}

interface Following extends Session {
  readonly directory: MountedDirectory;
  readonly proxy: RunningProxy;
  readonly printed: Said;
}

/** Follows the files; one change is dealt with after the other. Returns the function that ends it. */
async function follow(following: Following, terminal: Terminal): Promise<() => void> {
  let input = following.derived.input;
  let last = publishedText(following, servedPlane(following));
  let said = '';
  let work: Promise<void> = Promise.resolve();
  const once = async (): Promise<void> => {
    const next = await readInput(following.options.filename, settingsOf(following.options));
    const complaint = JSON.stringify(next.messages);
    if (next.isBad) {
      if (complaint !== said) complain(next, terminal);
      said = complaint;
      return;
    }
    said = complaint;
    updateInput(following.derived.input.store, input.facts, next.facts);
    input = next;
    const { planes, statuses } = following.derived.derivation.settle();
    if (planes.length + statuses.length === 0) return;
    const plane = servedPlane(following);
    const text = publishedText(following, plane);
    if (text === last) return;
    last = text;
    await publish(plane, following.addresses, following.directory);
    await following.proxy.reload();
    printFindings(following.derived.derivation.findings(), next.facts, { terminal, said: following.printed });
    terminal.err.write(`reloaded, table ${plane.table.hash.slice(0, 12)}\n`);
  };
  return watchPaths(following.options.filename, () => {
    work = work.then(once).catch((error: unknown) => {
      terminal.err.write(`not reloaded: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
}

function publishedText({ addresses }: Session, plane: PlaneResult): string {
  return `${plane.table.text}${withAddresses(plane, addresses)}`;
}

function complain(next: Input, terminal: Terminal): void {
  for (const message of next.messages) printMessage(message, terminal);
  terminal.err.write('not reloaded: the files cannot be used; serving goes on as before\n');
}

function ended(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function hostPort(option: string, text: string): HostPort {
  const [, host, port] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw new UsageError(`${option} ${text} is not HOST:PORT`);
  return { host, port: Number(port) };
}
