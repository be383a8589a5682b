/**
 * The operator in a cluster, as people get it: the chart by helm, our image, and credentials for a class. Cloudflare is the fake one, a process
 * inside the node, so that it ends with the cluster however that ends.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cluster } from './cluster.ts';
import { attempt } from './command.ts';
import { launch, until } from './launch.ts';
import { placeOf } from './place.ts';

const chart = fileURLToPath(new URL('../../charts/cloudflare-gateway-controller', import.meta.url));
const cloudflare = fileURLToPath(new URL('../world/cloudflare-api/main.ts', import.meta.url));
const cloudflarePort = 8787;

/** Where it is installed, and under which names. */
export const installed = {
  namespace: 'cloudflare-gateway',
  release: 'cloudflare-gateway-controller',
  deployment: 'cloudflare-gateway-controller',
  gatewayClass: 'cloudflare',
  secret: 'cloudflare',
} as const;

export interface OperatorOptions {
  /** Zones of the fake Cloudflare, at its first start; example.com if absent. */
  readonly zones?: readonly string[];
  /** Namespaces whose Gateways may use the credentials of the class; default and shop if absent. */
  readonly gatewayNamespaces?: readonly string[];
  /** Values of the chart beside those that follow from the cluster. */
  readonly values?: { readonly config?: object; readonly [name: string]: unknown };
}

export interface InstalledOperator {
  /** URL of the fake Cloudflare API without the path: `/world/state` below it tells what it holds. Answers on this machine and in pods. */
  readonly cloudflare: string;
  /** `helm upgrade` with other values instead of those of before; returns when every pod of the operator is new and ready. */
  upgrade(values: NonNullable<OperatorOptions['values']>): Promise<void>;
  /** New pods with the same values: for an image that is another one of the same name. */
  restart(): Promise<void>;
  /** `helm uninstall`; what it leaves on purpose stays. */
  uninstall(): Promise<void>;
}

/** Installs the operator; returns when it is Available. One that is there already is upgraded, so that it can be called twice. Needs our image in the cluster. */
export async function installOperator(cluster: Cluster, options: OperatorOptions = {}): Promise<InstalledOperator> {
  const { namespace, release, secret } = installed;
  const api = await startCloudflare(cluster, options.zones ?? ['example.com']);
  await cluster.kubectl(['apply', '--server-side', '-f', '-'], credentials(namespace, secret));
  const upgrade = async (values: NonNullable<OperatorOptions['values']>): Promise<void> => {
    const args = ['upgrade', '--install', release, chart, '--namespace', namespace, '--values', '-'];
    await helm(cluster, args, JSON.stringify(valuesFor(api, options, values)));
    await rollout(cluster, 'status', '--timeout=180s');
  };
  await upgrade(options.values ?? {});
  return {
    cloudflare: api,
    upgrade,
    restart: async () => {
      await rollout(cluster, 'restart');
      await rollout(cluster, 'status', '--timeout=180s');
    },
    uninstall: () => helm(cluster, ['uninstall', release, '--namespace', namespace, '--wait']),
  };
}

async function rollout({ kubectl }: Cluster, ...args: readonly string[]): Promise<void> {
  const [verb = '', ...options] = args;
  await kubectl([
    '--namespace',
    installed.namespace,
    'rollout',
    verb,
    `deployment/${installed.deployment}`,
    ...options,
  ]);
}

async function helm(cluster: Cluster, args: readonly string[], input?: string): Promise<void> {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HELM_NO_PLUGINS: '1' };
  const { code, stderr } = await attempt(cluster.clients.helm, args, input === undefined ? { env } : { env, input });
  if (code !== 0) throw new Error(`helm ${args[0]} ended with ${code}: ${stderr.trim()}`);
}

function valuesFor(api: string, options: OperatorOptions, { config, ...values }: { config?: object }): object {
  const { gatewayNamespaces = ['default', 'shop'] } = options;
  return {
    // The cluster brought them with the Gateway API's.
    crds: { enabled: false },
    gatewayClass: { secretRef: { name: installed.secret, allowedNamespaces: gatewayNamespaces } },
    ...values,
    config: { clusterName: 'test', cloudflareApi: `${api}/client/v4`, ...config },
  };
}

function credentials(namespace: string, name: string): object[] {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      stringData: { CLOUDFLARE_API_TOKEN: 'a-token', CLOUDFLARE_ACCOUNT_ID: '00000000000000000000000000000001' },
    },
  ];
}

/** The fake's address; started if nothing answers there yet. */
async function startCloudflare(cluster: Cluster, zones: readonly string[]): Promise<string> {
  const { number, folder } = cluster;
  const { address } = placeOf(number);
  const url = `http://${address}:${cloudflarePort}`;
  const answers = async (): Promise<boolean> => (await fetch(`${url}/world/calls`)).ok;
  if (await answers().catch(() => false)) return url;
  const args = ['--host', '0.0.0.0', '--port', `${cloudflarePort}`, ...zones.flatMap((zone) => ['--zone', zone])];
  const command = cluster.inside([process.execPath, cloudflare, ...args]);
  // It belongs to the node and ends with it.
  const program = launch(command, { name: 'cloudflare-api', logs: join(folder, 'logs'), outlives: true });
  await until(answers, { what: 'the fake Cloudflare API', programs: [program] });
  return url;
}
