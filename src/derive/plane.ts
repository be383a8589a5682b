/**
 * A data plane: the Gateways it serves, its names and its settings. Rules decide it once, from the parameter kinds of both
 * systems; everything after sees planes and never asks where a setting came from. Source: DESIGN, "What a Gateway becomes".
 */
export interface Plane {
  /** `<namespace>/<name>`: of its Gateway where it serves one. */
  readonly id: string;
  /** Where its objects live. */
  readonly namespace: string;
  /** What its objects are named after. */
  readonly name: string;
  /** Name of the GatewayClass, for labels. */
  readonly gatewayClassName: string;
  /** Keys of the Gateways served, sorted. */
  readonly gateways: readonly string[];
  /** From spec.infrastructure; on every object. They never replace ours. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Ports of its accepted listeners, sorted: what its Service listens on, where it has one. */
  readonly ports: readonly ListenerPort[];
  readonly settings: PlaneSettings;
}

/** A port, and what the listeners on it speak. */
export interface ListenerPort {
  readonly port: number;
  readonly protocol: 'HTTP' | 'HTTPS';
}

/** Settings of a data plane, every one with its value: defaults are already applied. */
export interface PlaneSettings {
  readonly tunnelName: string;
  readonly protocol: 'http2' | 'quic';
  readonly loadBalancing: 'Service' | 'Endpoints';
  readonly minReadySeconds: number;
  /** Of the containers, where the user set them: they replace our defaults as a whole. */
  readonly resources?: Readonly<Record<string, unknown>>;
  readonly autoscaling?: Autoscaling;
  /** A Service in front of the same proxies; unset: the tunnel is the only way in. */
  readonly service?: ServiceSettings;
  /** When the tunnel's token is replaced by schedule; unset where it is not. */
  readonly tokenRotation?: TokenRotation;
  readonly patches: readonly JsonPatchOperation[];
  readonly replicas: readonly ReplicaPlacement[];
  readonly dns: DnsSettings;
  readonly images: { readonly proxy: string; readonly cloudflared: string };
  readonly imagePullSecrets: readonly string[];
  readonly clusterDomain: string;
  /** Where the operator runs: the NetworkPolicy admits it from there only. Unset: from any namespace. */
  readonly controllerNamespace?: string;
  /** Path part of the proxy's drain address: not guessable from outside the namespace. */
  readonly drainPart: string;
}

/** spec.service. */
export interface ServiceSettings {
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  readonly annotations: Readonly<Record<string, string>>;
  /** Only with type LoadBalancer. */
  readonly loadBalancerClass?: string;
  /** Only with types NodePort and LoadBalancer. */
  readonly externalTrafficPolicy?: 'Cluster' | 'Local';
}

/** Which hostnames get a record: all of them, those directly below listed zones, or none. */
export type DnsSettings =
  | { readonly mode: 'all' }
  | { readonly mode: 'zones'; readonly zones: readonly string[] }
  | { readonly mode: 'off' };

/** spec.tunnel.autoscaling, switched on. */
export interface Autoscaling {
  readonly minAllowed?: Readonly<Record<string, string | number>>;
  readonly maxAllowed?: Readonly<Record<string, string | number>>;
  readonly controlledResources?: readonly string[];
  readonly controlledValues?: string;
}

/** A cron expression of five fields, and the IANA time zone it is read in. */
export interface TokenRotation {
  readonly cron: string;
  readonly timeZone: string;
}

/** One operation of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** One Deployment of one pod, and where its pod may run. */
export interface ReplicaPlacement {
  readonly name: string;
  readonly zone?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: Readonly<Record<string, unknown>>;
}
