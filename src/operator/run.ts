import { parseArgs } from 'node:util';
import { createLogger } from '../observe/logger.ts';
import { readConfig } from './config.ts';
import { planAll, startOperator } from './operator.ts';

const usage = `usage: cfgwctl operator [options]

  --config FILE       settings, as the chart mounts them (YAML)
  --kubeconfig FILE   where the API server is; in a pod it is known
  --context NAME      context of the kubeconfig
  --dry-run           print what would be written to the cluster, and end
  --help

Examples:
  cfgwctl operator --config /etc/cloudflare-gateway/config.yaml
  cfgwctl operator --kubeconfig ~/.kube/config --dry-run

Exit codes: 0 ended by a signal, 1 a start that failed, 2 arguments or settings that cannot be used.
`;

const flags = {
  config: { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Runs the operator until it is told to stop. Resolves with the exit code; a second signal ends the process at once. */
export async function runOperator(args: readonly string[]): Promise<number> {
  let values;
  let config;
  try {
    ({ values } = parseArgs({ args: [...args], options: flags, strict: true }));
    if (values.help) return print(usage);
    config = await readConfig(values.config);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
  const access = {
    ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
    ...(values.context === undefined ? {} : { context: values.context }),
  };
  const logger = createLogger({ level: config.logLevel });
  try {
    if (values['dry-run']) {
      const steps = await planAll(config, access, logger);
      return print(steps.length === 0 ? 'nothing to do\n' : `${steps.join('\n')}\n`);
    }
    const operator = await startOperator(config, access, logger);
    logger.info('started', { health: operator.healthPort });
    await told();
    logger.info('stopping');
    await operator.stop();
    return 0;
  } catch (error) {
    logger.error('the operator cannot start', { error });
    return 1;
  } finally {
    await logger.close();
  }
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function told(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        resolve();
        process.once(signal, () => process.exit(1));
      });
  });
}
