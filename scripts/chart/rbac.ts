/** What the controller may do in a cluster, each with the reason; the chart's roles are written from this list. */
import type { OutputFile } from './output.ts';

/** Verbs on resources of one API group, for one reason. */
export interface Grant {
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Only objects of these names; a name may be an expression of the template. */
  readonly resourceNames?: readonly string[];
  /** Completes the sentence "The controller may do this because …" in a few words; stands as a comment in the template. */
  readonly reason: string;
}

const gatewayGroup = 'gateway.networking.k8s.io';
const ownGroup = 'cloudflare-gateway-controller.io';
const watched = ['list', 'watch'];
const kept = ['get', ...watched];
const managed = [...kept, 'create', 'patch', 'delete'];

/** In all namespaces, as Gateways, routes and what they refer to may be in any. */
export const clusterGrants: readonly Grant[] = [
  {
    group: gatewayGroup,
    resources: ['gatewayclasses', 'gateways'],
    verbs: [...kept, 'patch'],
    reason: 'Read by the rules; patched for the finalizers.',
  },
  {
    group: gatewayGroup,
    resources: ['backendtlspolicies', 'grpcroutes', 'httproutes', 'listenersets'],
    verbs: kept,
    reason: 'Read by the rules, and again where a status was written by somebody else meanwhile.',
  },
  { group: gatewayGroup, resources: ['referencegrants'], verbs: watched, reason: 'Read by the rules.' },
  {
    group: gatewayGroup,
    resources: ['backendtlspolicies', 'gatewayclasses', 'gateways', 'grpcroutes', 'httproutes', 'listenersets'].map(
      (resource) => `${resource}/status`,
    ),
    verbs: ['patch'],
    reason: 'What became of each.',
  },
  {
    group: gatewayGroup,
    resources: ['gateways/finalizers'],
    verbs: ['update'],
    reason:
      'What a Gateway becomes names it as its owner; clusters that enforce it ask for this (OwnerReferencesPermissionEnforcement).',
  },
  { group: ownGroup, resources: ['cloudflaregatewayparameters'], verbs: watched, reason: 'Settings of a Gateway.' },
  {
    group: ownGroup,
    resources: ['cloudflaregatewaystatuses'],
    verbs: managed,
    reason: 'One beside each Gateway, with the inventory of what was made for it.',
  },
  {
    group: ownGroup,
    resources: ['cloudflaregatewaystatuses/status'],
    verbs: ['patch'],
    reason: 'Its contents.',
  },
  {
    group: 'cf.k8s.lex.la',
    resources: ['gatewayclassconfigs'],
    verbs: watched,
    reason: 'Settings of a class whose Gateways share a data plane.',
  },
  {
    group: '',
    resources: ['namespaces'],
    verbs: watched,
    reason: 'Listeners choose the namespaces of routes by label.',
  },
  {
    group: 'discovery.k8s.io',
    resources: ['endpointslices'],
    verbs: watched,
    reason: 'Backends that are dialled by address.',
  },
  {
    group: 'apiextensions.k8s.io',
    resources: ['customresourcedefinitions'],
    verbs: kept,
    reason: 'Which version of the Gateway API there is, and which optional kinds.',
  },
  {
    group: '',
    resources: ['secrets'],
    verbs: managed,
    reason: "Credentials and certificates, wherever Gateways refer to them; a data plane's tunnel token.",
  },
  {
    group: '',
    resources: ['configmaps', 'serviceaccounts', 'services'],
    verbs: managed,
    reason: 'Of a data plane; Services are backends too, and ConfigMaps hold CA certificates.',
  },
  { group: 'apps', resources: ['deployments'], verbs: managed, reason: 'Of a data plane.' },
  { group: 'networking.k8s.io', resources: ['networkpolicies'], verbs: managed, reason: 'Of a data plane.' },
  { group: 'policy', resources: ['poddisruptionbudgets'], verbs: managed, reason: 'Of a data plane.' },
  {
    group: 'autoscaling.k8s.io',
    resources: ['verticalpodautoscalers'],
    verbs: managed,
    reason: 'Of a data plane with tunnel.autoscaling; the kind is optional.',
  },
  {
    group: '',
    resources: ['pods'],
    verbs: [...kept, 'patch'],
    reason: 'Where the proxies are asked what they serve; an annotation makes the kubelet bring a new table at once.',
  },
  {
    group: 'events.k8s.io',
    resources: ['events'],
    verbs: ['create'],
    reason: 'What happened to an object, each sentence once.',
  },
];

/** The name of the Lease, as the template of the roles says it. */
export const leaseName = '{{ .Values.leaderElection.leaseName }}';

/** In the namespace of the controller. */
export const namespaceGrants: readonly Grant[] = [
  {
    group: 'coordination.k8s.io',
    resources: ['leases'],
    verbs: ['create'],
    reason: 'Leader election; the right to make an object cannot be limited to a name.',
  },
  {
    group: 'coordination.k8s.io',
    resources: ['leases'],
    resourceNames: [leaseName],
    verbs: ['get', 'patch'],
    reason: 'Leader election.',
  },
];

/** The rules of the chart's ClusterRole and Role, as the named templates that the template of the roles includes. */
export function rbacTemplate(): OutputFile {
  const define = (name: string, grants: readonly Grant[]): string =>
    [`{{- define "cfgw.rbac.${name}" -}}`, ...grants.map(rule), '{{- end -}}', ''].join('\n');
  const head = '{{/* Written by scripts/chart.ts from scripts/chart/rbac.ts. */}}\n';
  return {
    path: 'templates/_rbac.tpl',
    text: `${head}${define('cluster', clusterGrants)}\n${define('namespace', namespaceGrants)}`,
  };
}

function rule({ group, resources, resourceNames, verbs, reason }: Grant): string {
  const list = (items: readonly string[]): string => `[${items.join(', ')}]`;
  return [
    `# ${reason}`,
    `- apiGroups: ['${group}']`,
    `  resources: ${list(resources)}`,
    ...(resourceNames === undefined ? [] : [`  resourceNames: ${list(resourceNames.map((name) => `'${name}'`))}`]),
    `  verbs: ${list(verbs)}`,
  ].join('\n');
}
