import { parseAllDocuments } from 'yaml';
import type { Condition } from '../../api/conditions.ts';
import type { KubeObject } from '../../facts/object.ts';
import { controllerSettings, type ControllerSettings } from '../../facts/settings.ts';
import { createFactStore } from '../../facts/store.ts';
import type { Read, Rule } from '../engine/declare.ts';
import { createEngine } from '../engine/engine.ts';
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
  /** Adds or replaces objects. */
  readonly add: (yaml: string) => void;
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
  const engine = createEngine(store, [...new Set([...readingOrder, ...statusRules, ...findingRules])]);
  const results = new Map<string, unknown>();
  const add = (more: string): void => {
    for (const document of parseAllDocuments(more)) {
      const object = document.toJS() as KubeObject | null;
      if (object !== null) store.set(object);
    }
    for (const [rule, list] of engine.settle()) for (const { key, after } of list) results.set(`${rule} ${key}`, after);
  };
  add(yaml);
  const found = <T>(rules: readonly Rule<unknown>[]): readonly T[] =>
    [...results].flatMap(([name, result]) =>
      result !== undefined && rules.some((rule) => name.startsWith(`${rule.name} `)) ? [result as T] : [],
    );
  const findings = (): readonly Finding[] => found<readonly Finding[]>(findingRules).flat();
  return {
    read: engine.read,
    status: (name) => found<StatusClaim>(statusRules).find((claim) => nameOf(claim) === name)?.status ?? {},
    findings: () => findings().map(line).toSorted(),
    messages: () => findings().map(({ message }) => message),
    add,
  };
}

function nameOf({ kind, namespace, name }: Pick<Finding, 'kind' | 'namespace' | 'name'>): string {
  return `${kind}/${namespace === undefined ? '' : `${namespace}/`}${name}`;
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

function line({ code, severity, path, ...object }: Finding): string {
  return `${code} ${severity} ${nameOf(object)}${path === undefined ? '' : ` ${path.join('.')}`}`;
}
