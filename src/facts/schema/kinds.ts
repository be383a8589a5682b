// The schemas are data: one import for each file that the imports task writes.
import externalBackend from './kinds/cf.k8s.lex.la_v1alpha1_ExternalBackend.json' with { type: 'json' };
import gatewayClassConfig from './kinds/cf.k8s.lex.la_v1alpha1_GatewayClassConfig.json' with { type: 'json' };
import gatewayConfig from './kinds/cf.k8s.lex.la_v1alpha1_GatewayConfig.json' with { type: 'json' };
import cloudflareGatewayParameters from './kinds/cloudflare-gateway-controller.io_v1_CloudflareGatewayParameters.json' with { type: 'json' };
import cloudflareGatewayStatus from './kinds/cloudflare-gateway-controller.io_v1_CloudflareGatewayStatus.json' with { type: 'json' };
import configMap from './kinds/core_v1_ConfigMap.json' with { type: 'json' };
import namespace from './kinds/core_v1_Namespace.json' with { type: 'json' };
import secret from './kinds/core_v1_Secret.json' with { type: 'json' };
import service from './kinds/core_v1_Service.json' with { type: 'json' };
import endpointSlice from './kinds/discovery.k8s.io_v1_EndpointSlice.json' with { type: 'json' };
import backendTlsPolicy from './kinds/gateway.networking.k8s.io_v1_BackendTLSPolicy.json' with { type: 'json' };
import grpcRoute from './kinds/gateway.networking.k8s.io_v1_GRPCRoute.json' with { type: 'json' };
import gateway from './kinds/gateway.networking.k8s.io_v1_Gateway.json' with { type: 'json' };
import gatewayClass from './kinds/gateway.networking.k8s.io_v1_GatewayClass.json' with { type: 'json' };
import httpRoute from './kinds/gateway.networking.k8s.io_v1_HTTPRoute.json' with { type: 'json' };
import listenerSet from './kinds/gateway.networking.k8s.io_v1_ListenerSet.json' with { type: 'json' };
import referenceGrant from './kinds/gateway.networking.k8s.io_v1_ReferenceGrant.json' with { type: 'json' };
import serviceImport from './kinds/multicluster.x-k8s.io_v1beta1_ServiceImport.json' with { type: 'json' };
import objectMeta from './kinds/ObjectMeta.json' with { type: 'json' };
import type { Schema } from './schema.ts';

/** A kind that rules read: its name, its served versions (the preferred one first) and its schema. */
export interface KindSchema {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly versions: readonly string[];
  /** The module and version, or the folder, that the schema was cut from. */
  readonly source: string;
  readonly schema: Schema;
}

const generated = [
  backendTlsPolicy,
  cloudflareGatewayParameters,
  cloudflareGatewayStatus,
  configMap,
  endpointSlice,
  externalBackend,
  gateway,
  gatewayClass,
  gatewayClassConfig,
  gatewayConfig,
  grpcRoute,
  httpRoute,
  listenerSet,
  namespace,
  referenceGrant,
  secret,
  service,
  serviceImport,
] as unknown as readonly KindSchema[];

/** Every kind whose objects are checked. */
export const kinds: readonly KindSchema[] = generated.map((each) => ({ ...each, schema: withMetadata(each.schema) }));

/** A kind's own schema says of the metadata only that it is an object. */
function withMetadata(schema: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, metadata: objectMeta.schema as unknown as Schema } };
}

/** Kinds of the Gateway API that no rule reads. */
const unread = new Set(['TCPRoute', 'TLSRoute', 'UDPRoute']);

/** Groups all of whose kinds are known here, so that another kind in them is a mistake. */
const closedGroups = new Set(['gateway.networking.k8s.io', 'cloudflare-gateway-controller.io', 'cf.k8s.lex.la']);

const byName = new Map(kinds.map((each) => [`${each.group}/${each.kind}`, each]));

/** What is known about a kind: how to check it, that nothing reads it, or why no API server has it. */
export type KindLookup =
  | { readonly is: 'known'; readonly kind: KindSchema }
  | { readonly is: 'ignored' }
  | { readonly is: 'wrong'; readonly message: string };

/** Looks up the kind of an object by its two type fields. All served versions of a kind are one kind. */
export function lookUpKind(apiVersion: string, kind: string): KindLookup {
  const { group, version } = groupVersion(apiVersion);
  const known = byName.get(`${group}/${kind}`);
  if (known?.versions.includes(version)) return { is: 'known', kind: known };
  if (known !== undefined) {
    return {
      is: 'wrong',
      message: `${kind} has no version ${version} in ${apiVersion}; served are ${known.versions.join(', ')}`,
    };
  }
  if (closedGroups.has(group) && unread.has(kind)) return { is: 'ignored' };
  const similar = kinds.find((each) => each.group === group && each.kind.toLowerCase() === kind.toLowerCase());
  if (similar !== undefined)
    return { is: 'wrong', message: `there is no kind ${kind} in ${apiVersion}; it is ${similar.kind}` };
  return closedGroups.has(group)
    ? { is: 'wrong', message: `there is no kind ${kind} in ${apiVersion}` }
    : { is: 'ignored' };
}

/** `apps/v1` is group apps, version v1; `v1` is the core group "". */
export function groupVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}
