import type { HttpRouteSpecParentRefs } from '../../../imports/gateway.networking.k8s.io.ts';
import { index, view, type Read } from '../engine/declare.ts';
import { admits, type Admission } from './allowedroutes.ts';
import { httpRoutes } from './collections.ts';
import { gatewayAccepted, gatewayOwnership } from './gateway.ts';
import { intersection } from './hostnames.ts';
import { listeners, type Listener } from './listener.ts';
import { presentOf, splitKey } from './members.ts';
import { gatewayOf, listenerSetOf, parentOfListenerSet } from './parentref.ts';
import { planeOfGateway } from './planes.ts';
import { no, yes, type Verdict } from './verdict.ts';

/** What became of one parentRef that names a Gateway of ours. */
export interface Attachment {
  /** Position in spec.parentRefs. */
  readonly index: number;
  readonly parentRef: HttpRouteSpecParentRefs;
  /** Key of the Gateway. */
  readonly gateway: string;
  /** The plane that serves it, where one does. */
  readonly plane?: string;
  readonly verdict: Verdict;
  /** The listeners the route is attached to; empty unless the verdict is True. */
  readonly bindings: readonly Binding[];
  /** What was taken to be so. */
  readonly assumed?: string;
  /** Why not everything could be told; the route may lack hosts until it can. */
  readonly unknown?: string;
}

/** A listener, and the hosts the route answers through it. */
export interface Binding {
  readonly listener: string;
  readonly protocol: string;
  readonly port: number;
  /** Narrowed to what listener and route share; `*` where neither names a host. */
  readonly hosts: readonly string[];
}

function unservedListenerSet(listenerSet: string): Verdict {
  return no(
    'NoMatchingParent',
    `ListenerSet ${listenerSet} is not served by this version; attach the route to the Gateway itself in the meantime`,
  );
}

/** What became of each parentRef of an HTTPRoute that is ours to judge. Spec: RouteParentStatus; "Attaching Routes to Gateways". */
export const attachments = view('attachments', (key, read): readonly Attachment[] => {
  const route = presentOf(httpRoutes, key, read);
  if (route === undefined) return [];
  const { namespace } = splitKey(key);
  const hostnames = (route.spec.hostnames ?? []).map((hostname) => hostname.toLowerCase());
  return (route.spec.parentRefs ?? []).flatMap((parentRef, position) => {
    const listenerSet = listenerSetOf(parentRef, namespace);
    const gateway =
      listenerSet === undefined ? gatewayOf(parentRef, namespace) : read(parentOfListenerSet, listenerSet);
    if (gateway === undefined || read(gatewayOwnership, gateway) !== 'ours') return [];
    if (listenerSet !== undefined)
      return [{ index: position, parentRef, gateway, verdict: unservedListenerSet(listenerSet), bindings: [] }];
    const plane = read(planeOfGateway, gateway);
    const base = { index: position, parentRef, gateway, ...(plane === undefined ? {} : { plane }) };
    return [{ ...base, ...attach({ parentRef, gateway, namespace, hostnames }, read) }];
  });
});

interface Asked {
  readonly parentRef: HttpRouteSpecParentRefs;
  readonly gateway: string;
  readonly namespace: string;
  readonly hostnames: readonly string[];
}

type Attached = Pick<Attachment, 'verdict' | 'bindings' | 'unknown' | 'assumed'>;

/** The checks in the order in which their reasons count: named, served, namespace and kind, hostname. */
function attach(asked: Asked, read: Read): Attached {
  const refused = refusedGateway(asked.gateway, read);
  if (refused !== undefined) return { verdict: refused, bindings: [] };
  const named = read(listeners, asked.gateway).filter((listener) => isNamed(listener, asked.parentRef));
  if (named.length === 0) return { verdict: no('NoMatchingParent', noListener(asked)), bindings: [] };
  const accepted = named.filter((listener) => listener.accepted.status === 'True');
  if (accepted.length === 0) return { verdict: no('NoMatchingParent', notAccepted(named)), bindings: [] };
  return bind(asked, accepted, read);
}

/** Seed: a Gateway refused for what it asks has no listeners for anybody; one that only could not be programmed is pending. */
function refusedGateway(gateway: string, read: Read): Verdict | undefined {
  const { status, reason, message } = read(gatewayAccepted, gateway);
  if (status === 'True') return undefined;
  const isPending = status === 'Unknown' || reason === 'InvalidParameters';
  return no(isPending ? 'Pending' : 'NoMatchingParent', `Gateway ${gateway} is not accepted: ${message}`);
}

function isNamed(listener: Listener, { sectionName, port }: HttpRouteSpecParentRefs): boolean {
  return (sectionName ?? listener.name) === listener.name && (port ?? listener.port) === listener.port;
}

function noListener({ gateway, parentRef: { sectionName, port } }: Asked): string {
  const wanted = [
    ...(sectionName === undefined ? [] : [`named ${sectionName}`]),
    ...(port === undefined ? [] : [`on port ${port}`]),
  ];
  return `Gateway ${gateway} has no listener ${wanted.join(' ')}; correct sectionName or port of the parentRef`;
}

function notAccepted(named: readonly Listener[]): string {
  return named.map(({ name, accepted }) => `listener ${name} is not accepted: ${accepted.message}`).join('; ');
}

function bind(asked: Asked, accepted: readonly Listener[], read: Read): Attached {
  const { namespace: gatewayNamespace } = splitKey(asked.gateway);
  const judged = accepted
    .filter(({ kinds }) => kinds.includes('HTTPRoute'))
    .map((listener): [Listener, Admission] => [
      listener,
      admits(listener.namespaces, gatewayNamespace, asked.namespace, read),
    ]);
  const admitted = judged.filter(([, admission]) => isAdmitted(admission)).map(([listener]) => listener);
  const { unknown, assumed } = Object.assign({}, ...judged.map(([, admission]) => detail(admission))) as Detail;
  const told = { ...(unknown === undefined ? {} : { unknown }), ...(assumed === undefined ? {} : { assumed }) };
  if (admitted.length === 0) return { verdict: notAdmitted(asked, accepted, unknown), bindings: [], ...told };
  const bindings = admitted
    .map(({ id, protocol, port, hostname }) => ({
      listener: id,
      protocol,
      port,
      hosts: intersection(hostname, asked.hostnames),
    }))
    .filter(({ hosts }) => hosts.length > 0);
  if (bindings.length === 0)
    return {
      verdict: unknown === undefined ? noHostname(asked, admitted) : untold(asked, unknown),
      bindings: [],
      ...told,
    };
  return { verdict: yes('Accepted', 'the route is accepted'), bindings, ...told };
}

interface Detail {
  readonly unknown?: string;
  readonly assumed?: string;
}

function detail(admission: Admission): Detail {
  return typeof admission === 'object' ? admission : {};
}

function isAdmitted(admission: Admission): boolean {
  return admission === 'admitted' || detail(admission).assumed !== undefined;
}

function notAdmitted(asked: Asked, accepted: readonly Listener[], unknown: string | undefined): Verdict {
  if (unknown !== undefined) return untold(asked, unknown);
  const names = accepted.map(({ name }) => name).join(', ');
  return no(
    'NotAllowedByListeners',
    `Gateway ${asked.gateway}: listener ${names} admits no HTTPRoute from namespace ${asked.namespace}; widen allowedRoutes there, or move the route`,
  );
}

/** A listener that may admit the route could lend it what the others do not. */
function untold({ namespace }: Asked, unknown: string): Verdict {
  return no('Pending', `whether namespace ${namespace} is allowed cannot be told: ${unknown}`);
}

function noHostname(asked: Asked, admitted: readonly Listener[]): Verdict {
  const served = admitted.map(({ hostname }) => hostname).join(', ');
  return no(
    'NoMatchingListenerHostname',
    `none of the hostnames ${asked.hostnames.join(', ')} lies within what Gateway ${asked.gateway} listens for (${served})`,
  );
}

/** HTTPRoutes by the planes that serve them. */
export const routesByPlane = index('routesByPlane', httpRoutes, (key, read) =>
  read(attachments, key).flatMap(({ plane, bindings }) =>
    plane === undefined || bindings.length === 0 ? [] : [plane],
  ),
);
