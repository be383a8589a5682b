/** The schema that Helm checks values against: closed, so that a misspelt value is an error and not a default. */
import { Type, type TProperties, type TSchema } from 'typebox';
import { gatewayDefaults } from './gatewaydefaults.ts';
import * as pod from './podschema.ts';
import type { OutputFile } from './output.ts';
import type { Value } from './values.ts';

/** An object that knows these fields and no others. None is required: the chart's own values are below those that are given. */
function closed(properties: TProperties): TSchema {
  const optional = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]);
  return Type.Object(Object.fromEntries(optional), { additionalProperties: false });
}

const text = Type.String();
const flag = Type.Boolean();
const strings = Type.Record(Type.String(), text);
const port = Type.Integer({ minimum: 1, maximum: 65_535 });
const digest = Type.String({ pattern: '^(sha256:[0-9a-f]{64})?$' });
const tag = Type.String({ pattern: '^([A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$' });
const repository = Type.String({ pattern: '^[a-z0-9][A-Za-z0-9._:/-]*$' });
const duration = Type.String({ pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$' });
const dnsLabel = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const objectName = Type.String({ maxLength: 253, pattern: `^(${dnsLabel}(\\.${dnsLabel})*)?$` });
const namespace = Type.String({ maxLength: 63, pattern: `^(${dnsLabel})?$` });
const pullSecrets = Type.Array(Type.Object({ name: Type.String({ minLength: 1 }) }, { additionalProperties: false }));

const config = closed({
  // It becomes a part of a path in the tunnel's name.
  clusterName: Type.String({ maxLength: 63, pattern: '^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?)?$' }),
  clusterDomain: Type.String({ pattern: `^${dnsLabel}(\\.${dnsLabel})*$` }),
  gatewayDefaults: gatewayDefaults(),
  imagePullSecrets: pullSecrets,
  maxConcurrentRollouts: Type.Integer({ minimum: 1 }),
  logLevel: Type.Enum(['error', 'warn', 'info', 'debug']),
  cloudflareApi: Type.String({ pattern: '^(https?://.*[^/])?$' }),
});

const gatewayClass = closed({
  create: flag,
  name: Type.String({ minLength: 1, maxLength: 253, pattern: `^${dnsLabel}(\\.${dnsLabel})*$` }),
  keep: flag,
  description: Type.String({ maxLength: 64 }),
  labels: strings,
  annotations: strings,
  secretRef: closed({ name: objectName, namespace, allowedNamespaces: Type.Array(namespace) }),
});

const observation = {
  service: closed({ enabled: flag, metricsPort: port, annotations: strings }),
  networkPolicy: closed({
    enabled: flag,
    ingress: closed({ from: Type.Array(pod.networkPolicyPeer) }),
    egress: closed({ enabled: flag, apiServerPorts: Type.Array(port), extra: Type.Array(pod.networkPolicyEgress) }),
  }),
  serviceMonitor: closed({ enabled: flag, interval: duration, labels: strings }),
  podMonitor: closed({ enabled: flag, interval: duration, labels: strings }),
  prometheusRule: closed({ enabled: flag, labels: strings, alertLabels: strings, disabled: Type.Array(text) }),
  dashboards: closed({ enabled: flag, labels: strings, annotations: strings }),
  extraObjects: Type.Array(Type.Union([Type.Record(Type.String(), Type.Unknown()), text])),
};

const pods = {
  replicaCount: Type.Integer({ minimum: 0 }),
  leaderElection: closed({
    enabled: flag,
    leaseName: Type.String({ maxLength: 253, pattern: `^${dnsLabel}(\\.${dnsLabel})*$` }),
  }),
  image: closed({ repository, tag, digest, pullPolicy: Type.Enum(['Always', 'IfNotPresent', 'Never']) }),
  imagePullSecrets: pullSecrets,
  resources: pod.resources,
  podSecurityContext: pod.podSecurityContext,
  securityContext: pod.securityContext,
  healthProbes: closed({ startup: pod.probe, liveness: pod.probe, readiness: pod.probe }),
  podDisruptionBudget: closed({
    enabled: flag,
    maxUnavailable: pod.amount,
    minAvailable: pod.amount,
    unhealthyPodEvictionPolicy: Type.Enum(['AlwaysAllow', 'IfHealthyBudget']),
  }),
  topologySpreadConstraints: Type.Array(pod.topologySpreadConstraint),
  nodeSelector: strings,
  tolerations: Type.Array(pod.toleration),
  affinity: pod.affinity,
  priorityClassName: text,
  podAnnotations: strings,
  podLabels: strings,
  terminationGracePeriodSeconds: Type.Integer({ minimum: 1 }),
  extraEnv: Type.Array(pod.environment),
  extraVolumes: Type.Array(pod.volume),
  extraVolumeMounts: Type.Array(pod.volumeMount),
};

const values = closed({
  nameOverride: Type.String({ maxLength: 52, pattern: `^(${dnsLabel})?$` }),
  fullnameOverride: Type.String({ maxLength: 52, pattern: `^(${dnsLabel})?$` }),
  commonLabels: strings,
  config,
  cloudflared: closed({
    image: closed({ repository, tag: Type.String({ ...tag, minLength: 1 }), digest }),
  }),
  crds: closed({ enabled: flag, keep: flag }),
  gatewayClass,
  ruleNameUniquenessPolicy: closed({ enabled: flag }),
  rbac: closed({ create: flag }),
  serviceAccount: closed({ create: flag, name: objectName, annotations: strings }),
  ...pods,
  ...observation,
  // Helm hands it down from a chart that this one is part of; nothing of it is read.
  global: Type.Record(Type.String(), Type.Unknown()),
});

/** values.schema.json; the comments of values.yaml are its descriptions, for editors that read it. */
export function valuesSchema(documented: readonly Value[]): OutputFile {
  const schema = JSON.parse(JSON.stringify(values)) as Node;
  for (const { path, description } of documented) {
    const node = path.split('.').reduce<Node | undefined>((inner, key) => inner?.properties?.[key], schema);
    if (node === undefined)
      throw new Error(`values.yaml documents ${path}, which scripts/chart/schema.ts does not know`);
    node.description = description;
  }
  const head = { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Values of cloudflare-gateway-controller' };
  return { path: 'values.schema.json', text: `${JSON.stringify({ ...head, ...schema }, null, 2)}\n` };
}

interface Node {
  description?: string;
  readonly properties?: Record<string, Node>;
}
