/**
 * The proxy's own process: `cfgwctl proxy`, and what the image starts. Arguments in, exit code out.
 */
import { parseArgs } from 'node:util';
import { createLogger, logLevels } from '../observe/logger.ts';
import type { Logger, LogLevel } from '../observe/logger.ts';
import { startProxy } from './proxy.ts';
import { trustedPeers } from './doors/trustedpeers.ts';
import type { HostPort } from './listen.ts';
import type { ProxyOptions, RunningProxy } from './proxy.ts';

export const proxyUsage = `usage: proxy --listen HOST:PORT --admin HOST:PORT --table PATH [options]

  --listen HOST:PORT        where cloudflared reaches the proxy (default 127.0.0.1:8080)
  --admin HOST:PORT         health, status, metrics, drain (default 0.0.0.0:8081)
  --table PATH              directory of the mounted routing table, or one file
  --doors HOST              listen there for each listener port of the table too (default off)
  --trust-peer RANGE        keep the forwarding fields of these peers at those doors; may be repeated
  --grace-period SECONDS    for what is in flight when told to stop (default 30)
  --first-table SECONDS     exit with 1 if no valid table came by then (default 120)
  --drain-path PART         /drain/PART begins a drain
  --access-log SHARE        log this share of requests, 0 to 1 (default off)
  --access-log-no-query     leave the query out of the access log
  --log-level LEVEL         error, warn, info or debug (default info)
`;

const flags = {
  listen: { type: 'string', default: '127.0.0.1:8080' },
  admin: { type: 'string', default: '0.0.0.0:8081' },
  table: { type: 'string' },
  doors: { type: 'string' },
  'trust-peer': { type: 'string', multiple: true },
  'grace-period': { type: 'string', default: '30' },
  'first-table': { type: 'string', default: '120' },
  'drain-path': { type: 'string' },
  'access-log': { type: 'string' },
  'access-log-no-query': { type: 'boolean', default: false },
  'log-level': { type: 'string', default: 'info' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** What the arguments ask for. */
export interface ProxyCommand extends ProxyOptions {
  readonly firstTableMs: number;
  readonly logLevel: LogLevel;
}

/** Throws one sentence that names the flag if an argument cannot be used. */
export function parseProxyArguments(args: readonly string[]): ProxyCommand | 'help' {
  const { values } = parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false });
  if (values.help) return 'help';
  if (values.table === undefined)
    throw new Error('--table is missing: give the directory of the mounted routing table, or a file');
  const level = logLevels.find((name) => name === values['log-level']);
  if (!level) throw new Error(`--log-level ${values['log-level']} is none of ${logLevels.join(', ')}`);
  const part = values['drain-path'];
  const trusted = values['trust-peer'] ?? [];
  trustedPeers(trusted);
  const share = values['access-log'];
  return {
    listen: hostPort('listen', values.listen),
    admin: hostPort('admin', values.admin),
    table: values.table,
    graceMs: seconds('grace-period', values['grace-period']),
    firstTableMs: seconds('first-table', values['first-table']),
    logLevel: level,
    processMetrics: true,
    trustedPeers: trusted,
    ...(values.doors === undefined ? {} : { doors: values.doors }),
    ...(part === undefined ? {} : { drainPart: part }),
    ...(share === undefined
      ? {}
      : { accessLog: { sampling: fraction('access-log', share), stripQuery: values['access-log-no-query'] } }),
  };
}

/**
 * Runs the proxy until it is told to stop. Resolves with the exit code: 0 after SIGTERM or SIGINT, 1 if no valid table came in time or an
 * address cannot be had, 2 for arguments. A second signal ends the process at once.
 */
export async function runProxy(args: readonly string[]): Promise<number> {
  let command: ProxyCommand | 'help';
  try {
    command = parseProxyArguments(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${proxyUsage}`);
    return 2;
  }
  if (command === 'help') {
    process.stdout.write(proxyUsage);
    return 0;
  }
  const logger = createLogger({ level: command.logLevel });
  surviveStrays(logger);
  try {
    const proxy = await startProxy({ ...command, logger });
    logger.info('listening', { url: proxy.url, admin: proxy.adminUrl, table: command.table });
    return await untilStopped(proxy, command, logger);
  } catch (error) {
    logger.error('the proxy cannot start', { error });
    return 1;
  } finally {
    await logger.close();
  }
}

async function untilStopped(proxy: RunningProxy, command: ProxyCommand, logger: Logger): Promise<number> {
  const told = Promise.withResolvers<'signal' | 'no table'>();
  const onSignal = (signal: NodeJS.Signals): void => {
    logger.info('stopping', { signal, graceMs: command.graceMs });
    told.resolve('signal');
    for (const name of signals) {
      process.removeListener(name, onSignal);
      process.once(name, () => process.exit(1));
    }
  };
  for (const name of signals) process.on(name, onSignal);
  const timer = setTimeout(() => told.resolve('no table'), command.firstTableMs);
  void proxy.ready.then(() => clearTimeout(timer));
  const why = await told.promise;
  clearTimeout(timer);
  if (why === 'no table') {
    logger.error('no valid routing table came in time', {
      table: command.table,
      waitedMs: command.firstTableMs,
      reason: proxy.status().lastError,
    });
    await proxy.stop(0);
    return 1;
  }
  await proxy.stop(command.graceMs);
  return 0;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

/** One broken connection must never end the process for all others; what nobody expected is logged with its stack. */
function surviveStrays(logger: Logger): void {
  process.on('uncaughtException', (error) => logger.error('an error nobody handled', { error }));
  process.on('unhandledRejection', (error) => logger.error('a rejection nobody handled', { error }));
}

function hostPort(flag: string, text: string): HostPort {
  const colon = text.lastIndexOf(':');
  const port = Number(text.slice(colon + 1));
  const host = text.slice(0, Math.max(colon, 0)).replace(/^\[(.*)\]$/, '$1');
  if (host === '' || text.endsWith(':') || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--${flag} ${text} is not HOST:PORT`);
  }
  return { host, port };
}

function seconds(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new Error(`--${flag} ${text} is not a number of seconds`);
  return value * 1000;
}

function fraction(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new Error(`--${flag} ${text} is not a share from 0 to 1`);
  return value;
}
