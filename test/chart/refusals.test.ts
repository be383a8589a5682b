import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { chartFile, helm, template } from './helm.ts';

/** Values that are refused, as `--set-json` takes them, and what Helm says of them. */
const refused: readonly (readonly [json: string, message: string])[] = [
  ['config.clustername="x"', "at '/config': additional properties 'clustername' not allowed"],
  ['replicas=2', "at '': additional properties 'replicas' not allowed"],
  ['image.tags="1"', "at '/image': additional properties 'tags' not allowed"],
  ['image.tag=1', "at '/image/tag': got number, want string"],
  ['image.digest="0123"', "at '/image/digest': '0123' does not match pattern"],
  ['image.repository="registry.example.org/UPPER tag"', "at '/image/repository'"],
  ['cloudflared.image.tag=""', "at '/cloudflared/image/tag': minLength: got 0, want 1"],
  ['crds.install=true', "at '/crds': additional properties 'install' not allowed"],
  ['crds.enabled="yes"', "at '/crds/enabled': got string, want boolean"],
  ['config.logLevel="trace"', "at '/config/logLevel': value must be one of 'error', 'warn', 'info', 'debug'"],
  ['config.clusterName="a/b"', "at '/config/clusterName': 'a/b' does not match pattern"],
  ['config.maxConcurrentRollouts=0', "at '/config/maxConcurrentRollouts': minimum: got 0, want 1"],
  ['config.cloudflareApi="https://a.example/"', "at '/config/cloudflareApi'"],
  [
    'config.gatewayDefaults.secretRef={"name":"x"}',
    "at '/config/gatewayDefaults': additional properties 'secretRef' not allowed",
  ],
  ['config.gatewayDefaults.tunnel={"minReadySecond":0}', "additional properties 'minReadySecond' not allowed"],
  [
    'config.gatewayDefaults.tunnel={"minReadySeconds":-1}',
    "at '/config/gatewayDefaults/tunnel/minReadySeconds': minimum: got -1, want 0",
  ],
  ['config.gatewayDefaults.dns={"zones":[{"nam":"a.example"}]}', "at '/config/gatewayDefaults/dns/zones/0'"],
  ['gatewayClass.secretRef.key="token"', "at '/gatewayClass/secretRef': additional properties 'key' not allowed"],
  ['gatewayClass.name="Not_A_Name"', "at '/gatewayClass/name': 'Not_A_Name' does not match pattern"],
  ['imagePullSecrets=["operator"]', "at '/imagePullSecrets/0': got string, want object"],
  ['resources.request={"cpu":1}', "at '/resources': additional properties 'request' not allowed"],
  ['securityContext.runAsNonroot=true', "at '/securityContext': additional properties 'runAsNonroot' not allowed"],
  ['serviceMonitor.interval="15"', "at '/serviceMonitor/interval': '15' does not match pattern"],
  ['leaderElection.leaseName=""', "at '/leaderElection/leaseName': '' does not match pattern"],
  ['tolerations=[{"operater":"Exists"}]', "at '/tolerations/0': additional properties 'operater' not allowed"],
  ['extraEnv=[{"value":"x"}]', "at '/extraEnv/0': missing property 'name'"],
  ['serviceMonitor.enable=true', "at '/serviceMonitor': additional properties 'enable' not allowed"],
  ['networkPolicy.ingress.from=[{"namespace":"x"}]', "at '/networkPolicy/ingress/from/0'"],
  // What no schema can say.
  ['config.clusterName=""', 'config.clusterName is required: a name of this cluster'],
  ['leaderElection.enabled=false', 'replicaCount is more than 1 while leaderElection.enabled is false'],
  [
    'podDisruptionBudget.minAvailable=1',
    'podDisruptionBudget.minAvailable and podDisruptionBudget.maxUnavailable are both set',
  ],
  [
    'podDisruptionBudget={"maxUnavailable":null,"minAvailable":2}',
    'minAvailable is 2 with replicaCount 2, which would block every drain',
  ],
  ['podDisruptionBudget.maxUnavailable=null', 'neither minAvailable nor maxUnavailable is set'],
  ['serviceAccount.create=false', 'serviceAccount.name is required where serviceAccount.create is false'],
  [
    'service.enabled=false,serviceMonitor.enabled=true',
    'serviceMonitor.enabled is true while service.enabled is false',
  ],
  ['gatewayClass.secretRef.allowedNamespaces=["a"]', 'allowedNamespaces is set without gatewayClass.secretRef.name'],
];

describe('chart: values that are refused', () => {
  before(async function () {
    this.timeout(180_000);
    await helm('version');
  });

  for (const [json, message] of refused) {
    it(`${json}: ${message}`, async () => {
      const values = ['--set-json', 'config.clusterName="production"', '--set-json', json];
      await assert.rejects(template(...values), (error: Error) => {
        assert.ok(error.message.includes(message), error.message);
        return true;
      });
    });
  }

  it('everywhere: no object of known fields takes an unknown one', () => {
    const open = openObjects(JSON.parse(chartFile('values.schema.json')) as Schema, '');
    // Maps whose keys are the user's, and pieces of Kubernetes' own API.
    assert.deepEqual(open, ['extraVolumes/items', 'config/gatewayDefaults/tunnel/patches/items/value'].toSorted());
  });

  it('not its own: the values of the chart satisfy the schema', () => {
    const validate = new Ajv({ strict: false }).compile(JSON.parse(chartFile('values.schema.json')) as object);
    assert.ok(validate(parse(chartFile('values.yaml'))), JSON.stringify(validate.errors));
  });

  it('not those of a chart around it: global', async () => {
    await template('--set', 'config.clusterName=production', '--set', 'global.some.thing=1');
  });
});

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: object;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Where the schema takes any field whatever. */
function openObjects(schema: Schema, path: string): string[] {
  const { properties = {}, patternProperties, additionalProperties, items, anyOf = [] } = schema;
  const isMap = patternProperties !== undefined || typeof additionalProperties === 'object';
  const isOpen = isUnsaid(schema) || ('properties' in schema && additionalProperties !== false && !isMap);
  const below = (inner: Schema, name: string): string[] => openObjects(inner, path === '' ? name : `${path}/${name}`);
  return [
    ...(isOpen ? [path] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => below(inner, name)),
    ...(items === undefined ? [] : below(items, 'items')),
    ...anyOf.flatMap((inner, at) => below(inner, String(at))),
  ].toSorted();
}

/** A schema that says nothing, or nothing of an object's fields. */
function isUnsaid(schema: Schema): boolean {
  const { type, properties, patternProperties, additionalProperties } = schema;
  if (type === undefined) return !('anyOf' in schema) && !('enum' in schema) && !('const' in schema);
  const says = properties ?? patternProperties ?? additionalProperties;
  return type === 'object' && says === undefined;
}
