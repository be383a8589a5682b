/** What `npm run conformance` does; scripts/conformance.ts says how it is called. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runningCluster, startCluster } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { until } from '../cluster/launch.ts';
import { installed, installOperator } from '../cluster/operator.ts';
import { readEvents } from './events.ts';
import type { EventReader, TestResult } from './events.ts';
import { reportOf } from './report.ts';
import type { Report } from './report.ts';
import { sample } from './sample.ts';
import { buildSuite, eventConverter } from './suite.ts';
import type { Suite } from './suite.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const { values } = parseArgs({
  options: {
    'run-test': { type: 'string', multiple: true, default: [] },
    sample: { type: 'boolean', default: false },
    cluster: { type: 'string' },
    reports: { type: 'string', default: here('reports') },
    mode: { type: 'string', default: 'default' },
  },
});

/** What was named; everything if nothing was. */
const names = values.sample ? sample : values['run-test'];

const begun = performance.now();
const progress = (line: string): void =>
  console.error(`[${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s] ${line}`);

/**
 * Every Gateway gets a Service, and nothing waits for what no test is about. Decisions, "Defaults for Gateways without parameters of their own".
 * A dozen Gateways and the suite's own pods are at once on a node that may have two cores.
 */
const gatewayDefaults = {
  service: { type: 'ClusterIP' },
  dns: { zones: [] },
  tunnel: { minReadySeconds: 0, resources: { requests: { cpu: '1m', memory: '32Mi' } } },
};

/** The namespaces in which the suite makes Gateways. */
const gatewayNamespaces = ['infra', 'app-backend', 'web-backend'].map((name) => `gateway-conformance-${name}`);

/** The profiles, and the feature that says a profile is served. */
const profileOf: Readonly<Record<string, string>> = { HTTPRoute: 'GATEWAY-HTTP', GRPCRoute: 'GATEWAY-GRPC' };

async function main(): Promise<number> {
  const suite = await buildSuite(progress);
  const given = values.cluster === undefined ? undefined : await runningCluster(Number(values.cluster), progress);
  if (values.cluster !== undefined && given === undefined) throw new Error(`cluster ${values.cluster} is not running`);
  if (given !== undefined) return runIn(given, suite);
  const cluster = await startCluster({ ownImage: true, progress });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void cluster.stop().finally(() => process.exit(130)));
  try {
    return await runIn(cluster, suite);
  } finally {
    await cluster.stop();
  }
}

async function runIn(cluster: Cluster, suite: Suite): Promise<number> {
  await installOperator(cluster, { gatewayNamespaces, values: { config: { gatewayDefaults }, replicaCount: 1 } });
  progress('the operator is Available');
  const supported = await supportedFeatures(cluster);
  const profiles = supported.flatMap((feature) => profileOf[feature] ?? []);
  mkdirSync(values.reports, { recursive: true });
  const reader = readEvents(tell);
  const code = await runSuite(cluster, { suite, profiles, reader });
  const channel = await cluster.kubectl([
    'get',
    'crd/gateways.gateway.networking.k8s.io',
    String.raw`--output=jsonpath={.metadata.annotations.gateway\.networking\.k8s\.io/channel}`,
  ]);
  const { version, catalogue } = suite;
  const { results } = reader;
  const report = reportOf({
    mode: values.mode,
    suite: version,
    channel,
    catalogue,
    profiles,
    supported: names.length === 0 ? supported : [],
    results,
  });
  writeFileSync(join(values.reports, `${values.mode}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
  return verdict(code, report, reader);
}

/** As the class publishes them. */
async function supportedFeatures({ kubectl }: Cluster): Promise<string[]> {
  let names: string[] = [];
  await until(
    async () => {
      const path = '{.status.supportedFeatures[*].name}';
      const text = await kubectl(['get', 'gatewayclass', installed.gatewayClass, `--output=jsonpath=${path}`]);
      names = text.split(' ').filter((name) => name !== '');
      return names.length > 0;
    },
    { what: 'the features that the class publishes' },
  );
  return names;
}

interface Running {
  readonly suite: Suite;
  readonly profiles: readonly string[];
  readonly reader: EventReader;
}

/** Runs the suite inside the node, where the addresses of Services are. Gives its exit code. */
async function runSuite(cluster: Cluster, { suite, profiles, reader }: Running): Promise<number> {
  const converter = await eventConverter();
  // Each ends with the one that started it, so that a run that is killed leaves none of it in a cluster that goes on.
  const bound = ['setpriv', '--pdeathsig', 'KILL'];
  const inside = cluster.inside([...bound, converter, '-t', ...bound, suite.program, ...suiteArguments(profiles)]);
  const command = [...bound, ...inside];
  const [file = '', ...args] = command;
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig };
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) reader.read(line);
  return child.exitCode ?? new Promise((resolve) => child.on('close', (code) => resolve(code ?? 143)));
}

function suiteArguments(profiles: readonly string[]): string[] {
  const [only, ...others] = names;
  // The suite's own flag takes one name; several are chosen as Go chooses tests. A test that is named runs whether its features are claimed or not.
  const chosen = only !== undefined && others.length === 0 ? [`--run-test=${only}`] : [];
  return [
    '-test.v=test2json',
    '-test.timeout=60m',
    `-test.run=^TestConformance$${others.length === 0 ? '' : `/^(${names.join('|')})$`}`,
    `--gateway-class=${installed.gatewayClass}`,
    `--conformance-profiles=${profiles.join(',')}`,
    // The cluster ends with the run.
    '--cleanup-base-resources=false',
    `--mode=${values.mode}`,
    `--report-output=${join(values.reports, `${values.mode}-report.yaml`)}`,
    '--organization=cloudflare-gateway-controller',
    '--project=cloudflare-gateway-controller',
    '--url=https://github.com/cloudflare-gateway-controller/cloudflare-gateway-controller',
    '--version=0.1.0',
    '--contact=https://github.com/cloudflare-gateway-controller/cloudflare-gateway-controller/issues',
    ...chosen,
  ];
}

function tell(name: string, { outcome, seconds, output }: TestResult): void {
  if (outcome === 'skipped') return;
  console.log(`${outcome === 'passed' ? 'ok     ' : 'FAILED '} ${name} (${seconds.toFixed(1)} s)`);
  if (outcome === 'failed') for (const line of telling(output)) console.log(`        ${line.slice(0, 400)}`);
}

/** What was printed around each assertion that failed: a test tries for a minute, and says each time that it tries. */
function telling(output: readonly string[]): readonly string[] {
  const failures = output.flatMap((line, at) => (line.includes('Error Trace:') ? [at] : []));
  if (failures.length === 0) return output.slice(-15);
  return failures.slice(0, 3).flatMap((at) => output.slice(Math.max(0, at - 4), at + 12));
}

/** Exit code 0 only if the suite ended with 0 and events say that tests passed: its report alone cannot be believed. */
function verdict(code: number, { failed, profiles }: Report, { results, others }: EventReader): number {
  const passed = [...results.values()].filter(({ outcome }) => outcome === 'passed').length;
  if (code !== 0 && failed.length === 0) console.log(others.slice(-40).join('\n'));
  for (const [name, { core, extended }] of Object.entries(profiles))
    console.log(
      `${name}: core ${core.passed} passed, ${core.failed} failed, ${core.skipped} skipped; extended ${extended.passed} passed, ${extended.failed} failed, ${extended.skipped} skipped`,
    );
  if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
  console.log(`the suite ended with ${code}; report: ${join(values.reports, `${values.mode}.json`)}`);
  return code === 0 && failed.length === 0 && passed > 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
