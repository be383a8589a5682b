import { conditionTypes, type Condition } from '../../api/conditions.ts';
import { controllerName } from '../../api/names.ts';
import { rule, view, type Read } from '../engine/declare.ts';
import type { RouteParentStatus, StatusClaim } from '../results.ts';
import { attachments, type Attachment } from './attachment.ts';
import { httpRoutes } from './collections.ts';
import { dnsRecordsApplied } from './dnsrecords.ts';
import { gatewayOwnership } from './gateway.ts';
import { hostsOf, takenHost } from './hostrecord.ts';
import { memberOf, splitKey } from './members.ts';
import { gatewayOf } from './parentref.ts';
import { planeProgress } from './planeprogress.ts';
import { routeShadows, shadowSentence } from './routeshadowed.ts';
import { routeVerdict, type RouteVerdict } from './routeverdict.ts';
import { routeHolds } from './routingtable.ts';
import { condition, no, notYet, yes, type Verdict } from './verdict.ts';

/** Status of an HTTPRoute: one entry for each parentRef that is ours. Spec: RouteStatus; seed: "HTTPRoute Status". */
export const httpRouteStatus = rule('httpRouteStatus', {
  each: httpRoutes,
  emit: (key, read): StatusClaim | undefined => {
    const parents = read(routeParents, key);
    if (parents.length === 0) return undefined;
    const { apiVersion, kind, metadata } = memberOf(httpRoutes, key, read);
    const { namespace, name } = metadata;
    return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, status: { parents } };
  },
});

const routeParents = view('routeParents', (key, read): readonly RouteParentStatus[] => {
  const verdict = read(routeVerdict, key);
  const judged = read(attachments, key).map((attachment) => ({
    parentRef: { ...attachment.parentRef },
    controllerName,
    conditions: conditionsOf(key, attachment, verdict, read),
  }));
  return [...judged, ...unjudged(key, read)];
});

/** Parents that may be ours while it cannot be told (seed: "the route's previous status entry for that parent stays as it was"). */
function unjudged(route: string, read: Read): readonly RouteParentStatus[] {
  const { namespace } = splitKey(route);
  return (memberOf(httpRoutes, route, read).spec.parentRefs ?? [])
    .filter((ref) => {
      const gateway = gatewayOf(ref, namespace);
      return gateway !== undefined && read(gatewayOwnership, gateway) === 'unknown';
    })
    .map((ref) => ({ parentRef: { ...ref }, controllerName, conditions: [], held: true }));
}

function conditionsOf(route: string, attachment: Attachment, verdict: RouteVerdict, read: Read): readonly Condition[] {
  const { generation } = memberOf(httpRoutes, route, read).metadata;
  const bound = attachment.verdict.status === 'True';
  const accepted = bound ? (verdict.refused ?? takenHost(attachment, read) ?? attachment.verdict) : attachment.verdict;
  const isServed = accepted.status === 'True';
  const claims: [string, Verdict | undefined][] = [
    [conditionTypes.accepted, accepted],
    [conditionTypes.resolvedRefs, verdict.resolvedRefs],
    [conditionTypes.partiallyInvalid, isServed ? verdict.partial : undefined],
    [conditionTypes.routeShadowed, isServed ? shadowed(route, attachment, read) : undefined],
    [conditionTypes.proxyConfigPushed, isServed ? notEvaluated(attachment) : undefined],
    ...(isServed ? ofPlane(attachment, read) : []),
  ];
  const conditions = claims.flatMap(([type, claim]) =>
    claim === undefined ? [] : [condition(type, claim, generation)],
  );
  const [hold] = read(routeHolds, route);
  return hold === undefined ? conditions : conditions.map((each) => untold(each, hold));
}

/** While a reference cannot be told, nothing is concluded from it (seed: "the route keeps its previous ResolvedRefs condition"). */
function untold(given: Condition, hold: string): Condition {
  if (given.type !== conditionTypes.resolvedRefs) return given;
  const { type, observedGeneration } = given;
  const verdict = notYet('Pending', `a reference cannot be told yet: ${hold}`);
  return { ...condition(type, verdict, observedGeneration), held: true };
}

/** Only under the parents whose plane it is about. */
function shadowed(route: string, { plane }: Attachment, read: Read): Verdict | undefined {
  const sentences = read(routeShadows, route)
    .filter((shadow) => shadow.plane === plane)
    .map(shadowSentence);
  return sentences.length === 0 ? undefined : yes('HostnameMatchShadowed', sentences.join('; '));
}

/** What the plane and its records say of the route: they follow Accepted, and never decide it. */
function ofPlane({ plane, bindings }: Attachment, read: Read): [string, Verdict | undefined][] {
  if (plane === undefined) return [];
  const dns = dnsRecordsApplied(plane, hostsOf(bindings), read);
  const { ready } = read(planeProgress, plane);
  const isDowngraded = ready.status === 'True' && dns !== undefined && dns.status !== 'True';
  return [
    [conditionTypes.dnsRecordsApplied, dns],
    [conditionTypes.ready, isDowngraded ? dns : ready],
  ];
}

/** Seed, "Routes attached to another implementation's Gateway": the route may lack hosts that this parent would lend. */
function notEvaluated({ unknown }: Attachment): Verdict | undefined {
  return unknown === undefined ? undefined : no('ParentNotEvaluated', `the route may lack hosts: ${unknown}`);
}
