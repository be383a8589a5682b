import { groups } from '../../api/names.ts';
import type { FixedAnswer, TableBackend } from '../../table/document.ts';
import type { Read } from '../engine/declare.ts';
import { grants } from './referencegrant.ts';
import { serviceBackend } from './services.ts';

/** What is needed of a backendRef of any route kind. */
export interface BackendRef {
  readonly group?: string;
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly port?: number;
}

/** Why a reference does not resolve, as ResolvedRefs reports it. */
export interface RefProblem {
  readonly reason: string;
  readonly message: string;
}

/** Where a share of traffic goes: to a backend, or to an answer of the proxy. */
export interface ResolvedBackend {
  /** Id in the routing table, `Service/<namespace>/<name>/<port>`. */
  readonly id?: string;
  readonly backend?: TableBackend;
  readonly answer?: FixedAnswer;
  readonly problem?: RefProblem;
  /** Cannot be told: the plane keeps the table it has (seed, "Fail-closed enforcement"). */
  readonly hold?: string;
  /** An object that was taken to exist. */
  readonly assumed?: string;
}

/** Seed, "The core group spelling is tolerated": in backend references and the grants for them. */
const coreSpellings = [groups.core, 'core'];

/**
 * Resolves a backendRef of a route of `routeKind` in `routeNamespace`. An invalid one answers 500 for its share.
 * Spec: HTTPBackendRef; seed: "Unavailable backends return a status, not a dial error".
 */
export function resolveBackend(
  ref: BackendRef,
  from: { readonly kind: string; readonly namespace: string },
  read: Read,
): ResolvedBackend {
  const group = coreSpellings.includes(ref.group ?? groups.core) ? groups.core : (ref.group ?? groups.core);
  const kind = ref.kind ?? 'Service';
  const namespace = ref.namespace ?? from.namespace;
  const to = { group, kind, namespace, name: ref.name };
  if (group !== groups.core || kind !== 'Service') return refuse('InvalidKind', unservedKind(group, kind, ref.name));
  const grant = grants({ group: groups.gateway, ...from }, to, read, coreSpellings);
  if (typeof grant === 'object') return { hold: grant.unknown };
  if (grant === 'refused') return refuse('RefNotPermitted', notPermitted(from, to));
  if (ref.port === undefined)
    return refuse('BackendNotFound', `the reference to Service ${namespace}/${ref.name} has no port; set port`);
  return resolveService(`${namespace}/${ref.name}/${ref.port}`, read);
}

function resolveService(key: string, read: Read): ResolvedBackend {
  const found = read(serviceBackend, key);
  if (found.state === 'unknown') return { hold: found.why };
  if (found.state === 'absent') return refuse('BackendNotFound', found.why);
  if (found.refused !== undefined) return refuse(found.refused.reason, found.refused.why);
  return {
    id: `Service/${key}`,
    backend: found.backend,
    ...(found.remark === undefined ? {} : { problem: { reason: 'UnsupportedProtocol', message: found.remark } }),
    ...(found.assumed === undefined ? {} : { assumed: found.assumed }),
  };
}

function refuse(reason: string, message: string): ResolvedBackend {
  return { answer: { status: 500, why: message }, problem: { reason, message } };
}

function unservedKind(group: string, kind: string, name: string): string {
  return `${group === groups.core ? '' : `${group}/`}${kind} ${name} is no kind of backend that this version serves; name a core Service`;
}

function notPermitted(
  from: { readonly kind: string; readonly namespace: string },
  to: { readonly kind: string; readonly namespace: string; readonly name: string },
): string {
  return `no ReferenceGrant in namespace ${to.namespace} lets ${from.kind} of namespace ${from.namespace} use ${to.kind} ${to.name}; add one there`;
}
