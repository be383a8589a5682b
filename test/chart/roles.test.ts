import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { clusterGrants, leaseName, namespaceGrants, type Grant } from '../../scripts/chart/rbac.ts';
import * as collections from '../../src/derive/rules/collections.ts';
import { kinds } from '../../src/facts/schema/kinds.ts';
import { helm, objectsIn, template, type Rendered } from './helm.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Facts that come from no cluster. */
const notOfTheCluster = ['ControllerSettings', 'CloudflareState'];

describe('chart: roles', () => {
  let objects: readonly Rendered[] = [];

  before(async function () {
    this.timeout(180_000);
    await helm('version');
    objects = objectsIn(await template('--set', 'config.clusterName=production'));
  });

  const rulesOf = (kind: string): readonly Rule[] =>
    objects.find((object) => object.kind === kind)?.['rules'] as readonly Rule[];

  it('grant what the list says, no more and no less', () => {
    assert.deepEqual(rulesOf('ClusterRole'), clusterGrants.map(ruleOf));
    assert.deepEqual(rulesOf('Role'), namespaceGrants.map(ruleOf));
  });

  it('are bound to the ServiceAccount that the pods run as', () => {
    const account = objects.find((object) => object.kind === 'ServiceAccount')?.metadata.name;
    for (const kind of ['ClusterRoleBinding', 'RoleBinding']) {
      const binding = objects.find((object) => object.kind === kind);
      assert.deepEqual(binding?.['subjects'], [{ kind: 'ServiceAccount', name: account, namespace: 'gateways' }]);
      assert.equal((binding['roleRef'] as { name: string }).name, nameOf(kind.replace('Binding', '')));
    }
    function nameOf(kind: string): string | undefined {
      return objects.find((object) => object.kind === kind)?.metadata.name;
    }
  });

  it('hold no wildcard, nothing twice, and a reason for each right', () => {
    const rights = clusterGrants.flatMap(rightsOf);
    assert.deepEqual(
      rights.filter((right, at) => right.includes('*') || rights.indexOf(right) !== at),
      [],
    );
    for (const { reason } of [...clusterGrants, ...namespaceGrants]) assert.match(reason, /^[A-Z].*\.$/);
  });

  it('let every kind be listed and watched that a rule reads', () => {
    const rights = new Set(clusterGrants.flatMap(rightsOf));
    const read = Object.values(collections)
      .map(({ name }) => name)
      .filter((name) => !notOfTheCluster.includes(name));
    const missing = read
      .flatMap((kind) => ['list', 'watch'].map((verb) => `${resourceOf(kind)} ${verb}`))
      .filter((right) => !rights.has(right));
    assert.deepEqual(missing, []);
    assert.ok(read.length > 10);
  });

  it('let every kind be made, changed and deleted that a data plane becomes', () => {
    const rights = new Set(clusterGrants.flatMap(rightsOf));
    const emitted = emittedKinds();
    const missing = emitted
      .flatMap((kind) => ['list', 'watch', 'create', 'patch', 'delete'].map((verb) => `${resourceOf(kind)} ${verb}`))
      .filter((right) => !rights.has(right));
    assert.deepEqual(missing, []);
    assert.ok(emitted.includes('Deployment') && emitted.includes('ConfigMap'), emitted.join(', '));
  });
});

function ruleOf({ group, resources, resourceNames, verbs }: Grant): Rule {
  const names = resourceNames?.map((name) => name.replace(leaseName, 'cloudflare-gateway-controller-leader'));
  return { apiGroups: [group], resources, ...(names === undefined ? {} : { resourceNames: names }), verbs };
}

function rightsOf({ group, resources, verbs }: Grant): string[] {
  return resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`));
}

/** Kinds that the rules' golden files show as made. */
function emittedKinds(): string[] {
  const folder = fileURLToPath(new URL('../golden/emit/', import.meta.url));
  const files = readdirSync(folder).filter((name) => name.endsWith('.out.yaml'));
  const objects = files.flatMap((name) => {
    const { kube = {} } = parse(readFileSync(folder + name, 'utf8')) as {
      kube?: Record<string, (string | Rendered)[]>;
    };
    return Object.values(kube).flat();
  });
  return [
    ...new Set(objects.map((object) => (typeof object === 'string' ? (object.split(' ')[0] ?? '') : object.kind))),
  ];
}

const otherResources: Readonly<Record<string, string>> = {
  Deployment: 'apps/deployments',
  ServiceAccount: '/serviceaccounts',
  Pod: '/pods',
  NetworkPolicy: 'networking.k8s.io/networkpolicies',
  PodDisruptionBudget: 'policy/poddisruptionbudgets',
  VerticalPodAutoscaler: 'autoscaling.k8s.io/verticalpodautoscalers',
};

/** `group/plural`. */
function resourceOf(kind: string): string {
  const known = kinds.find((each) => each.kind === kind);
  return known === undefined ? (otherResources[kind] ?? `unknown kind ${kind}`) : `${known.group}/${known.plural}`;
}
