import type { GatewayClassConfigSpec } from '../../../imports/cf.k8s.lex.la.ts';
import type { CloudflareGatewayParametersSpec } from '../../../imports/cloudflare-gateway-controller.io.ts';
import type {
  BackendTlsPolicySpec,
  GatewayClassSpec,
  GatewaySpec,
  GrpcRouteSpec,
  HttpRouteSpec,
  ListenerSetSpec,
  ReferenceGrantSpec,
} from '../../../imports/gateway.networking.k8s.io.ts';
import type { CloudflareState } from '../../facts/cloudflarestate.ts';
import type { KubeObject } from '../../facts/object.ts';
import type { ControllerSettings } from '../../facts/settings.ts';
import { collection } from '../engine/declare.ts';

/** Every kind a rule reads; which kinds the operator watches, and its RBAC, follow from this list. */

export interface GatewayClass extends KubeObject {
  readonly spec: GatewayClassSpec;
}
export interface Gateway extends KubeObject {
  readonly spec: GatewaySpec;
}
export interface HTTPRoute extends KubeObject {
  readonly spec: HttpRouteSpec;
}
export interface GRPCRoute extends KubeObject {
  readonly spec: GrpcRouteSpec;
}
export interface ListenerSet extends KubeObject {
  readonly spec: ListenerSetSpec;
}
export interface ReferenceGrant extends KubeObject {
  readonly spec: ReferenceGrantSpec;
}
export interface BackendTLSPolicy extends KubeObject {
  readonly spec: BackendTlsPolicySpec;
}
export interface CloudflareGatewayParameters extends KubeObject {
  readonly spec?: CloudflareGatewayParametersSpec;
}
export interface GatewayClassConfig extends KubeObject {
  readonly spec: GatewayClassConfigSpec;
}

/** What we read of a core Service. */
export interface Service extends KubeObject {
  readonly spec: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
}

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

/** What we read of a discovery.k8s.io EndpointSlice. */
export interface EndpointSlice extends KubeObject {
  readonly addressType: string;
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[];
}

/** What we read of a Deployment of ours. */
export interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly { readonly type: string; readonly reason?: string; readonly message?: string }[];
  };
}

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

export const settings = collection<ControllerSettings>('ControllerSettings');
export const gatewayClasses = collection<GatewayClass>('GatewayClass');
export const gateways = collection<Gateway>('Gateway');
export const httpRoutes = collection<HTTPRoute>('HTTPRoute');
export const grpcRoutes = collection<GRPCRoute>('GRPCRoute');
export const listenerSets = collection<ListenerSet>('ListenerSet');
export const referenceGrants = collection<ReferenceGrant>('ReferenceGrant');
export const backendTLSPolicies = collection<BackendTLSPolicy>('BackendTLSPolicy');
export const services = collection<Service>('Service');
export const endpointSlices = collection<EndpointSlice>('EndpointSlice');
export const namespaces = collection<KubeObject>('Namespace');
export const secrets = collection<Secret>('Secret');
/** Deployments of ours, and what Cloudflare holds: only a cluster has them. */
export const deployments = collection<Deployment>('Deployment');
export const cloudflareStates = collection<CloudflareState>('CloudflareState');
export const cloudflareGatewayParameters = collection<CloudflareGatewayParameters>('CloudflareGatewayParameters');
export const gatewayClassConfigs = collection<GatewayClassConfig>('GatewayClassConfig');
