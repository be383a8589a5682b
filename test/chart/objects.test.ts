import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { parse } from 'yaml';
import { controllerSettings } from '../../src/facts/settings.ts';
import { checkObject } from '../../src/facts/schema/check.ts';
import { evaluate } from '../../src/facts/schema/cel.ts';
import { groups, labels, managedBy } from '../../src/api/names.ts';
import { chart, chartFile, helm, objectsIn, template, type Rendered } from './helm.ts';

/** Every switch on, so that every object is there. */
const everything = [
  '--set',
  'config.clusterName=production,gatewayClass.secretRef.name=cloudflare,gatewayClass.secretRef.allowedNamespaces={shop}',
  '--set',
  'ruleNameUniquenessPolicy.enabled=true,serviceMonitor.enabled=true,podMonitor.enabled=true,prometheusRule.enabled=true,dashboards.enabled=true',
];

describe('chart: objects', () => {
  let objects: readonly Rendered[] = [];

  before(async function () {
    this.timeout(180_000);
    await helm('version');
    objects = objectsIn(await template(...everything));
  });

  const one = (kind: string): Rendered => {
    const [found, ...others] = objects.filter((object) => object.kind === kind);
    assert.ok(found !== undefined && others.length === 0, kind);
    return found;
  };

  /** Beside those of the dashboards. */
  const settingsMap = (): Rendered => {
    const found = objects.find(
      ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === one('Deployment').metadata.name,
    );
    assert.ok(found);
    return found;
  };

  it('are found fault with neither by helm lint nor by the schemas of their kinds', async () => {
    const lint = await helm('lint', '--strict', chart, ...everything);
    assert.equal(lint.code, 0, lint.stdout + lint.stderr);
    const issues = objects.flatMap((object) =>
      checkObject(object)
        .issues.filter(({ severity }) => severity !== 'note')
        .map(({ message }) => `${object.kind}: ${message}`),
    );
    assert.deepEqual(issues, []);
  });

  it('carry the labels of the chart, and a namespace unless they are of the cluster', () => {
    const ofTheCluster = /^(Cluster|CustomResource|GatewayClass|ValidatingAdmission)/;
    for (const { kind, metadata } of objects) {
      const { [labels.name]: name, [labels.instance]: instance } = metadata['labels'] as Record<string, string>;
      assert.deepEqual([name, instance], [managedBy, 'cfgw'], `${kind} ${metadata.name}`);
      assert.equal(metadata.namespace === undefined, ofTheCluster.test(kind), `${kind} ${metadata.name}`);
    }
  });

  it('hold no CRD of the Gateway API, and ours as they are but for their metadata', () => {
    const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    const files = readdirSync(`${chart}/files/crds`)
      .toSorted()
      .map((name) => parse(chartFile(`files/crds/${name}`)) as Rendered);
    assert.deepEqual(
      crds.map(({ metadata }) => metadata.name).toSorted(),
      files.map(({ metadata }) => metadata.name).toSorted(),
    );
    for (const crd of crds) {
      const file = files.find(({ metadata }) => metadata.name === crd.metadata.name);
      assert.deepEqual(crd['spec'], file?.['spec']);
      assert.deepEqual(crd.metadata['annotations'], { 'helm.sh/resource-policy': 'keep' });
      assert.ok(!crd.metadata.name.endsWith(`.${groups.gateway}`));
    }
  });

  it('give the operator a file with every setting that the rules see', () => {
    const file = parse((settingsMap()['data'] as Record<string, string>)['config.yaml'] ?? '') as object;
    const { assumeUnknown: _, ...settings } = controllerSettings({
      clusterName: 'production',
      controllerNamespace: 'gateways',
    }).spec;
    for (const [name, value] of Object.entries(settings))
      assert.deepEqual((file as Record<string, unknown>)[name], value, name);
  });

  it('run pods that the restricted Pod Security Standard admits', () => {
    const { template: pod } = one('Deployment')['spec'] as { template: { spec: PodSpec } };
    const { securityContext, containers, volumes, hostNetwork } = pod.spec;
    assert.equal(securityContext.runAsNonRoot, true);
    assert.equal(securityContext.seccompProfile.type, 'RuntimeDefault');
    assert.equal(hostNetwork, undefined);
    assert.ok(volumes.every((volume) => 'configMap' in volume));
    for (const container of containers) {
      assert.equal(container.securityContext.allowPrivilegeEscalation, false);
      assert.equal(container.securityContext.readOnlyRootFilesystem, true);
      assert.deepEqual(container.securityContext.capabilities, { drop: ['ALL'] });
    }
  });

  it('put the pods anew when what the operator reads has changed, and only then', async () => {
    const [same, other] = await Promise.all([
      template(...everything, '--set', 'service.metricsPort=9090'),
      template(...everything, '--set', 'config.logLevel=debug'),
    ]);
    const annotations = (text: string): unknown =>
      podOf(objectsIn(text).find(({ kind }) => kind === 'Deployment')).metadata;
    assert.deepEqual(annotations(same), podOf(one('Deployment')).metadata);
    assert.notDeepEqual(annotations(other), podOf(one('Deployment')).metadata);
  });

  it('refuse a route in which two rules have one name, and no other', () => {
    const { validations } = one('ValidatingAdmissionPolicy')['spec'] as { validations: { expression: string }[] };
    const expression = (validations[0]?.expression ?? '').replaceAll('object.', 'self.object.');
    const route = (...names: (string | undefined)[]): unknown =>
      new Map([
        [
          'object',
          new Map([
            ['spec', new Map([['rules', names.map((name) => new Map(name === undefined ? [] : [['name', name]]))]])],
          ]),
        ],
      ]);
    assert.deepEqual(evaluate(expression, route('a', 'b', undefined, undefined)), { holds: true });
    assert.deepEqual(evaluate(expression, route('a', 'b', undefined, 'a')), { holds: false });
    assert.deepEqual(evaluate(expression, new Map([['object', new Map([['spec', new Map()]])]])), { holds: true });
  });
});

interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly securityContext: { readonly runAsNonRoot: boolean; readonly seccompProfile: { readonly type: string } };
  readonly volumes: readonly object[];
  readonly containers: readonly {
    readonly securityContext: {
      readonly allowPrivilegeEscalation: boolean;
      readonly readOnlyRootFilesystem: boolean;
      readonly capabilities: object;
    };
  }[];
}

function podOf(deployment: Rendered | undefined): { readonly metadata: unknown } {
  assert.ok(deployment);
  return (deployment['spec'] as { template: { metadata: unknown } }).template;
}
