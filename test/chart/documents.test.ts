import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readValues } from '../../scripts/chart/values.ts';
import { chart, chartFile, helm } from './helm.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Metrics of the controller and of cloudflared that people know; those of the proxy are taken from its code. */
const contract = [
  'leader_election_master_status',
  'controller_runtime_reconcile_total',
  'controller_runtime_reconcile_errors_total',
  'controller_runtime_reconcile_time_seconds_bucket',
  'workqueue_depth',
  'rest_client_requests_total',
  'cftunnel_synced_routes',
  'cftunnel_cloudflare_api_calls_total',
  'cftunnel_cloudflare_api_errors_total',
  'process_resident_memory_bytes',
  'cloudflared_tunnel_ha_connections',
];

describe('chart: documents', () => {
  it('are what scripts/chart.ts writes', () => {
    execFileSync(process.execPath, ['scripts/chart.ts', '--check'], { cwd: root, stdio: 'pipe' });
  });

  it('say something of every value', () => {
    const documented = new Set(readValues().map(({ path }) => path));
    assert.deepEqual(undocumented(parse(chartFile('values.yaml')), '', documented), []);
    for (const { path, description } of readValues()) assert.match(description, /[.:)\]]$/, path);
  });

  it('name every value of the schema in values.yaml', () => {
    const missing = absent(JSON.parse(chartFile('values.schema.json')) as Schema, parse(chartFile('values.yaml')), '');
    // What Kubernetes' own API has beside what the chart sets, and what Helm hands down.
    const pieces =
      /^(global|config\.gatewayDefaults|resources|podSecurityContext|securityContext|affinity|healthProbes\.\w+)(\.|$)/;
    assert.deepEqual(
      missing.filter((path) => !pieces.test(path)),
      [],
    );
  });

  it('speak of metrics that there are', () => {
    const source = ['metrics', 'reload'].map((name) => readFileSync(`${root}src/proxy/${name}.ts`, 'utf8')).join('\n');
    const ofProxy = [...source.matchAll(/(?:name|sample)\((?:\s*'(?:counter|gauge)',)?\s*'(\w+)'/g)].map(
      ([, suffix]) => suffix ?? '',
    );
    const known = new Set([
      ...contract,
      ...ofProxy.flatMap((suffix) => [
        `cftunnel_proxy_${suffix}`,
        `cftunnel_proxy_${suffix}_bucket`,
        `cftunnel_proxy_table_${suffix}`,
      ]),
    ]);
    const boards = readdirSync(`${chart}/files/dashboards`).map((name) => chartFile(`files/dashboards/${name}`));
    const expressions = [...boards, chartFile('files/alerts/alerts.yaml')].join('\n');
    const spoken = new Set(
      expressions.match(
        /\b(?:cftunnel|cloudflared|controller_runtime|workqueue|rest_client|leader_election|process)_\w+/g,
      ),
    );
    assert.deepEqual(
      [...spoken].filter((name) => !known.has(name)),
      [],
    );
    assert.ok(spoken.size > 15);
  });

  it('lead on from the installation, and tell what is missing', async function () {
    this.timeout(180_000);
    const notes = async (...args: string[]): Promise<string> => {
      const common = ['--dry-run=client', '--namespace', 'gateways', '--set', 'config.clusterName=production'];
      const { stdout, stderr } = await helm('install', 'cfgw', chart, ...common, ...args);
      assert.match(stdout, /NOTES:/, stderr);
      return stdout.slice(stdout.indexOf('NOTES:'));
    };
    const plain = await notes();
    assert.match(plain, /cluster "production"/);
    assert.match(plain, /kubectl -n gateways rollout status deployment\/cfgw-cloudflare-gateway-controller/);
    assert.match(plain, /delete the Gateways first/);
    assert.doesNotMatch(plain, /NOTE:/);
    const risky = await notes(
      '--set',
      'crds.keep=false,replicaCount=1,config.logLevel=debug,gatewayClass.secretRef.name=cf',
    );
    assert.equal(risky.match(/NOTE: /g)?.length, 3);
    assert.match(risky, /kubectl -n gateways create secret generic cf/);
  });
});

function undocumented(value: unknown, path: string, documented: ReadonlySet<string>): string[] {
  if (documented.has(path) && !hasDocumentedChild(path, documented)) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return documented.has(path) ? [] : [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    undocumented(inner, path === '' ? key : `${path}.${key}`, documented),
  );
}

function hasDocumentedChild(path: string, documented: ReadonlySet<string>): boolean {
  return [...documented].some((each) => each.startsWith(`${path}.`));
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

function absent(schema: Schema, value: unknown, path: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const isThere = typeof value === 'object' && value !== null && key in value;
    return isThere ? absent(inner, (value as Record<string, unknown>)[key], at) : [at];
  });
}
