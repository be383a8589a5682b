import { labels, managedBy } from '../api/names.ts';
import { secretTypesRead, watched, type WatchedKind } from '../facts/cluster/watchedkind.ts';

/** Of the kinds we write, only what is ours is kept. */
const ours = `${labels.managedBy}=${managedBy}`;

/** Kinds that planes consist of; a change to one of ours concerns its plane. */
export const writtenKinds = [
  'ServiceAccount',
  'ConfigMap',
  'NetworkPolicy',
  'Service',
  'PodDisruptionBudget',
  'Deployment',
  'VerticalPodAutoscaler',
] as const;

/** Kinds whose status is written. */
export const statusKinds: ReadonlySet<string> = new Set([
  'GatewayClass',
  'Gateway',
  'HTTPRoute',
  'GRPCRoute',
  'ListenerSet',
  'CloudflareGatewayStatus',
]);

/** What the rules read, and what is observed of what we write. */
export const watchedKinds: readonly WatchedKind[] = [
  watched('CustomResourceDefinition', { metadataOnly: true }),
  ...[
    'GatewayClass',
    'Gateway',
    'HTTPRoute',
    'GRPCRoute',
    'ListenerSet',
    'ReferenceGrant',
    'BackendTLSPolicy',
    'EndpointSlice',
    'Namespace',
    'CloudflareGatewayParameters',
    'GatewayClassConfig',
    'CloudflareGatewayStatus',
  ].map((kind) => watched(kind)),
  watched('Secret', { fieldSelector: secretTypesRead, written: true }),
  watched('Pod', { labelSelector: ours, metadataOnly: true }),
  // Backends too, so all of them are kept.
  watched('Service', { written: true }),
  ...writtenKinds
    .filter((kind) => kind !== 'Service')
    .map((kind) => watched(kind, { labelSelector: ours, written: true })),
];
