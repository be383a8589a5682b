import { parseAllDocuments } from 'yaml';
import type { Condition } from '../../api/conditions.ts';
import type { KubeObject } from '../../facts/object.ts';
import { controllerSettings, type ControllerSettings } from '../../facts/settings.ts';
import { createFactStore } from '../../facts/store.ts';
import { createEngine, type Emitted } from '../engine/engine.ts';
import type { Read } from '../engine/declare.ts';
import type { Finding, StatusClaim } from '../results.ts';
import { gatewayClassFindings, gatewayClassStatus } from './gatewayclassstatus.ts';
import { gatewayFindings } from './gatewayfindings.ts';
import { gatewayStatus } from './gatewaystatus.ts';
import { readingOrder } from './readingorder.ts';
import {
  grpcRouteStatus,
  listenerSetStatus,
  unsupportedGrpcRouteFindings,
  unsupportedListenerSetFindings,
} from './unsupportedroutes.ts';

/** What the rules make of a few objects. */
export interface Derived {
  readonly read: Read;
  /** `Gateway/shop/web`; the empty object where nothing is claimed. */
  readonly status: (name: string) => Status;
  /** `code severity kind/namespace/name path`, sorted. */
  readonly findings: () => readonly string[];
  readonly messages: () => readonly string[];
}

export interface Status {
  readonly conditions?: readonly Condition[];
  readonly listeners?: readonly {
    readonly name: string;
    readonly supportedKinds: readonly unknown[];
    readonly attachedRoutes: number;
    readonly conditions: readonly Condition[];
  }[];
  readonly addresses?: readonly unknown[];
  readonly parents?: readonly {
    readonly parentRef: Readonly<Record<string, unknown>>;
    readonly conditions: readonly Condition[];
  }[];
}

/** How the world is apart from the objects. */
export interface World {
  readonly settings?: Partial<ControllerSettings['spec']>;
  /** Kinds of which not everything is known. */
  readonly unknown?: readonly string[];
}

const statusRules = [gatewayStatus, gatewayClassStatus, grpcRouteStatus, listenerSetStatus];
const findingRules = [
  gatewayFindings,
  gatewayClassFindings,
  unsupportedGrpcRouteFindings,
  unsupportedListenerSetFindings,
];

/** Derives from objects written in YAML. */
export function derived(yaml: string, world: World = {}): Derived {
  const store = createFactStore();
  store.set(controllerSettings(world.settings));
  for (const kind of world.unknown ?? []) store.know(kind, { complete: false, why: `${kind}s are not read` });
  for (const document of parseAllDocuments(yaml)) {
    const object = document.toJS() as KubeObject | null;
    if (object !== null) store.set(object);
  }
  const engine = createEngine(store, [...new Set([...readingOrder, ...statusRules, ...findingRules])]);
  const emitted = engine.settle();
  const claims = new Map(
    statusRules
      .flatMap(({ name }) => after<StatusClaim>(emitted.get(name)))
      .map((claim) => [
        `${claim.kind}/${claim.namespace === undefined ? '' : `${claim.namespace}/`}${claim.name}`,
        claim,
      ]),
  );
  const findings = findingRules.flatMap(({ name }) => after<readonly Finding[]>(emitted.get(name)).flat());
  return {
    read: engine.read,
    status: (name) => claims.get(name)?.status ?? {},
    findings: () => findings.map(line).toSorted(),
    messages: () => findings.map(({ message }) => message),
  };
}

/** `Accepted=False/InvalidParameters`, one for each condition. */
export function brief(conditions: readonly Condition[] | undefined): readonly string[] {
  return (conditions ?? []).map(({ type, status, reason }) => `${type}=${status}/${reason}`);
}

/** The message of a condition. */
export function messageOf(conditions: readonly Condition[] | undefined, type: string): string {
  return (conditions ?? []).find((each) => each.type === type)?.message ?? '';
}

/** A class with credentials that Gateways of namespace shop may use. */
export const ours = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: cloudflare}
spec:
  controllerName: cloudflare-gateway-controller.io/controller
  parametersRef: {group: '', kind: Secret, namespace: shop, name: cloudflare}
---
apiVersion: v1
kind: Secret
metadata: {name: cloudflare, namespace: shop}
data: {CLOUDFLARE_API_TOKEN: dG9rZW4=, CLOUDFLARE_ACCOUNT_ID: YWNjb3VudA==}
---
`;

/** Gateway shop/web of that class, with `spec` beside its class. Without `listeners` it has one for HTTP. */
export function gateway(spec = '', metadata = ''): string {
  return `
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: web, namespace: shop, generation: 3${metadata === '' ? '' : `, ${metadata}`}}
spec:
  gatewayClassName: cloudflare
${spec.includes('listeners:') ? '' : '  listeners: [{name: http, port: 80, protocol: HTTP}]\n'}${spec.replaceAll(/^(?=.)/gm, '  ')}
---
`;
}

/** CloudflareGatewayParameters shop/web, and the lines by which a Gateway names it. */
export function parameters(spec: string): string {
  return `
apiVersion: cloudflare-gateway-controller.io/v1
kind: CloudflareGatewayParameters
metadata: {name: web, namespace: shop}
spec:
${spec.replaceAll(/^(?=.)/gm, '  ')}
---
`;
}

export const withParameters = `infrastructure:
  parametersRef: {group: cloudflare-gateway-controller.io, kind: CloudflareGatewayParameters, name: web}
`;

function after<T>(list: readonly Emitted[] | undefined): readonly T[] {
  return (list ?? []).flatMap((each) => (each.after === undefined ? [] : [each.after as T]));
}

function line({ code, severity, kind, namespace, name, path }: Finding): string {
  const where = path === undefined ? '' : ` ${path.join('.')}`;
  return `${code} ${severity} ${kind}/${namespace === undefined ? '' : `${namespace}/`}${name}${where}`;
}
