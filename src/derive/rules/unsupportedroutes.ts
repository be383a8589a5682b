import { conditionTypes, type Condition } from '../../api/conditions.ts';
import { controllerName } from '../../api/names.ts';
import type { KubeObject } from '../../facts/object.ts';
import { rule, view, type Read } from '../engine/declare.ts';
import type { Finding, ParentRef, RouteParentStatus, StatusClaim } from '../results.ts';
import { grpcRoutes, listenerSets } from './collections.ts';
import { gatewayOwnership } from './gateway.ts';
import { memberOf, presentOf, splitKey } from './members.ts';
import { gatewayOf, listenerSetOf, parentOfListenerSet } from './parentref.ts';
import { findingOf, placeOf, problem, type Problem } from './problem.ts';
import { condition } from './verdict.ts';

/** Kinds of the Gateway API that ask something of a Gateway of ours and that this version does not serve: said aloud, never passed over. */

/** True for a Gateway of ours, and for a ListenerSet of one: it is judged by its parent. */
function isOurs(ref: ParentRef, namespace: string, read: Read): boolean {
  const listenerSet = listenerSetOf(ref, namespace);
  const gateway = listenerSet === undefined ? gatewayOf(ref, namespace) : read(parentOfListenerSet, listenerSet);
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
