import type { Condition } from '../api/conditions.ts';
import type { FindingCode } from '../api/findings.ts';
import type { KubeObject } from '../facts/object.ts';
import type { Plane } from './plane.ts';

/** Everything that follows from the facts for one data plane. */
export interface PlaneResult {
  readonly plane: Plane;
  /** All Kubernetes objects of the plane, sorted by kind and name; the table's and the endpoints' ConfigMaps among them. */
  readonly objects: readonly KubeObject[];
  readonly table: TableResult;
  /** Why the objects lack Deployments and all that goes with them: what runs stays as it is. */
  readonly problem?: string;
  /** Text of the endpoints document. */
  readonly endpoints: string;
  readonly cloudflare: CloudflareDesired;
  /** Key of the Secret with the Cloudflare credentials; left out where it is only assumed. */
  readonly credentials?: string;
  /** Where the plane has a Service: which certificates its proxies show. */
  readonly certificates?: PlaneCertificates;
}

/** Certificates by name. What they hold only the operator reads. */
export interface PlaneCertificates {
  /** Ids of listeners, and keys of the `kubernetes.io/tls` Secrets each shows; only listeners that have any. */
  readonly listeners: readonly { readonly listener: string; readonly secrets: readonly string[] }[];
  /** Of names and content: another one means that there is something to write. */
  readonly hash: string;
  /** Something cannot be told: what the proxies have stays as it is. */
  readonly isHeld: boolean;
}

/** The routing table of a plane, as text and by the name of its content. */
export interface TableResult {
  readonly text: string;
  /** SHA-256 of the text, 64 hex digits. */
  readonly hash: string;
  /** Why the table must not be published as it is: something it needs cannot be told. Sentences. */
  readonly held?: readonly string[];
}

/** What Cloudflare should hold for a plane. Source: DESIGN, "Cloudflare". */
export interface CloudflareDesired {
  readonly tunnel: { readonly name: string };
  /** The tunnel's ingress document, as the API takes it. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Hostnames with a CNAME to the tunnel, sorted; `skipped` are served but get none, with the reason. */
  readonly records: {
    readonly mode: 'all' | 'zones' | 'off';
    readonly hostnames: readonly string[];
    readonly skipped: readonly { readonly hostname: string; readonly why: string }[];
  };
}

/** The status one object should have, as far as it is ours to say. */
export interface StatusClaim {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status: Readonly<Record<string, unknown>>;
}

/** What every parentRef has; the others of its fields are kept as they were written. */
export interface ParentRef {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** `status.parents[]` of a route, for one parentRef of ours. */
export interface RouteParentStatus {
  readonly parentRef: ParentRef;
  readonly controllerName: string;
  readonly conditions: readonly Condition[];
  /** Nothing can be told of this parent now: the entry that is stored, if any, stays as it is. Never written. */
  readonly held?: true;
}

/** Something a person should know of an object: the same sentence that its status or event carries. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning' | 'note';
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  /** Field, as in `spec.rules[0].backendRefs[1]`. */
  readonly path?: readonly (string | number)[];
  /** What is wrong and what to do, one or two sentences. */
  readonly message: string;
}
