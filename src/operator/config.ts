import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { controllerSettings, type ControllerSettings } from '../facts/settings.ts';
import type { LogLevel } from '../observe/logger.ts';

/** How an operator runs: the file that the chart mounts, and the same for a person at the keyboard. */
export interface OperatorConfig {
  /** What the rules read. */
  readonly settings: ControllerSettings;
  readonly logLevel: LogLevel;
  /** Port of `/healthz` and `/readyz`. */
  readonly healthPort: number;
  /** Port of `/metrics`. */
  readonly metricsPort: number;
  /** Planes whose pods may roll at one time. */
  readonly maxConcurrentRollouts: number;
  readonly leaderElection: { readonly enabled: boolean; readonly namespace: string; readonly name: string };
  /** Another address of the Cloudflare API, for tests. */
  readonly cloudflareApi?: string;
}

/** Fields of the file. Those of the settings stand at its top, as in the chart's `config`. */
type ConfigFile = Partial<ControllerSettings['spec']> & {
  readonly logLevel?: LogLevel;
  readonly healthPort?: number;
  readonly metricsPort?: number;
  readonly maxConcurrentRollouts?: number;
  readonly leaderElection?: Partial<OperatorConfig['leaderElection']>;
  readonly cloudflareApi?: string;
};

const fields = [
  'clusterName',
  'clusterDomain',
  'controllerNamespace',
  'images',
  'imagePullSecrets',
  'gatewayDefaults',
  'logLevel',
  'healthPort',
  'metricsPort',
  'maxConcurrentRollouts',
  'leaderElection',
  'cloudflareApi',
];

/** Throws one sentence for a file that cannot be read or has a field that means nothing. */
export async function readConfig(path: string | undefined): Promise<OperatorConfig> {
  const file = path === undefined ? {} : parsed(path, await readFile(path, 'utf8'));
  const { logLevel = 'info', healthPort = 8081, metricsPort = 8080, maxConcurrentRollouts = 5, ...rest } = file;
  const { leaderElection = {}, cloudflareApi, ...given } = rest;
  const settings = controllerSettings(given);
  return {
    settings,
    logLevel,
    healthPort,
    metricsPort,
    maxConcurrentRollouts,
    leaderElection: {
      enabled: leaderElection.enabled ?? true,
      namespace: leaderElection.namespace ?? settings.spec.controllerNamespace,
      name: leaderElection.name ?? 'cloudflare-gateway-controller-leader',
    },
    ...(cloudflareApi === undefined ? {} : { cloudflareApi }),
  };
}

function parsed(path: string, text: string): ConfigFile {
  const file: unknown = parse(text) ?? {};
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw new Error(`${path} is no mapping of settings`);
  const unknown = Object.keys(file).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw new Error(`${path}: ${unknown} is no setting; there are ${fields.join(', ')}`);
  return file;
}
