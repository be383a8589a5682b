import { conditionTypes, type Condition } from '../../api/conditions.ts';
import { controllerName, groups } from '../../api/names.ts';
import type { KubeObject } from '../../facts/object.ts';
import { rule, view, type Read } from '../engine/declare.ts';
import type { Finding, RouteParentStatus, StatusClaim } from '../results.ts';
import { grpcRoutes, listenerSets } from './collections.ts';
import { gatewayOwnership } from './gateway.ts';
import { memberOf, presentOf, splitKey } from './members.ts';
import { findingOf, placeOf, problem, type Problem } from './problem.ts';
import { condition } from './verdict.ts';

/** Kinds of the Gateway API that ask something of a Gateway of ours and that this version does not serve: said aloud, never passed over. */

/** What a parentRef of any route kind has. Spec: ParentReference. */
interface ParentRef {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The key of the Gateway a ListenerSet names as its parent. */
const parentOfListenerSet = view('parentOfListenerSet', (key, read): string | undefined => {
  const ref = presentOf(listenerSets, key, read)?.spec.parentRef;
  return ref === undefined ? undefined : gatewayNamed(ref, splitKey(key).namespace);
});

function gatewayNamed(ref: ParentRef, namespace: string): string | undefined {
  const isGateway = (ref.group ?? groups.gateway) === groups.gateway && (ref.kind ?? 'Gateway') === 'Gateway';
  return isGateway ? `${ref.namespace ?? namespace}/${ref.name}` : undefined;
}

/** True for a Gateway of ours, and for a ListenerSet of one: it is judged by its parent. */
function isOurs(ref: ParentRef, namespace: string, read: Read): boolean {
  const isListenerSet = (ref.group ?? groups.gateway) === groups.gateway && ref.kind === 'ListenerSet';
  const gateway = isListenerSet
    ? read(parentOfListenerSet, `${ref.namespace ?? namespace}/${ref.name}`)
    : gatewayNamed(ref, namespace);
  return gateway !== undefined && read(gatewayOwnership, gateway) === 'ours';
}

/** One problem for each parentRef of a GRPCRoute that is ours. */
const grpcProblems = view(
  'grpcProblems',
  (key, read): readonly { readonly ref: ParentRef; readonly why: Problem }[] => {
    const { namespace } = splitKey(key);
    const message = `GRPCRoute ${key} is not served: this version serves no GRPCRoute; write its rules as an HTTPRoute with the path /<service>/<method> in the meantime`;
    return (presentOf(grpcRoutes, key, read)?.spec.parentRefs ?? []).flatMap((ref, index) =>
      isOurs(ref, namespace, read)
        ? [{ ref, why: problem(placeOf('GRPCRoute', key, 'spec', 'parentRefs', index), 'UnsupportedValue', message) }]
        : [],
    );
  },
);

/** Spec: RouteConditionAccepted, UnsupportedValue. */
export const grpcRouteStatus = rule('grpcRouteStatus', {
  each: grpcRoutes,
  emit: (key, read): StatusClaim | undefined => {
    const found = read(grpcProblems, key);
    if (found.length === 0) return undefined;
    const object = memberOf(grpcRoutes, key, read);
    const parents = found.map(({ ref, why }): RouteParentStatus => ({
      parentRef: { ...ref },
      controllerName,
      conditions: [condition(conditionTypes.accepted, why.verdict, object.metadata.generation)],
    }));
    return claim(object, { parents });
  },
});

export const unsupportedGrpcRouteFindings = rule('unsupportedGrpcRouteFindings', {
  each: grpcRoutes,
  emit: (key, read): readonly Finding[] => read(grpcProblems, key).map(({ why }) => findingOf(why)),
});

const listenerSetProblem = view('listenerSetProblem', (key, read): Problem | undefined => {
  const gateway = read(parentOfListenerSet, key);
  if (gateway === undefined || read(gatewayOwnership, gateway) !== 'ours') return undefined;
  const message = `ListenerSet ${key} is not served: this version serves no ListenerSet; write its listeners into Gateway ${gateway} in the meantime`;
  return problem(placeOf('ListenerSet', key, 'spec', 'parentRef'), 'NotAllowed', message);
});

/** Spec: ListenerSetConditionAccepted, NotAllowed; what is not accepted is not programmed. */
export const listenerSetStatus = rule('listenerSetStatus', {
  each: listenerSets,
  emit: (key, read): StatusClaim | undefined => {
    const why = read(listenerSetProblem, key);
    if (why === undefined) return undefined;
    const object = memberOf(listenerSets, key, read);
    const conditions = [conditionTypes.accepted, conditionTypes.programmed].map((type): Condition =>
      condition(type, why.verdict, object.metadata.generation),
    );
    return claim(object, { conditions });
  },
});

export const unsupportedListenerSetFindings = rule('unsupportedListenerSetFindings', {
  each: listenerSets,
  emit: (key, read): readonly Finding[] => {
    const why = read(listenerSetProblem, key);
    return why === undefined ? [] : [findingOf(why)];
  },
});

function claim({ apiVersion, kind, metadata }: KubeObject, status: StatusClaim['status']): StatusClaim {
  const { namespace, name } = metadata;
  return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, status };
}
