import { conditionTypes, type Condition } from '../../api/conditions.ts';
import { groups } from '../../api/names.ts';
import { view, type Read } from '../engine/declare.ts';
import { routesByListener } from './attachedroutes.ts';
import { listenerCertificates } from './certificaterefs.ts';
import { gateways } from './collections.ts';
import { gatewayAccepted } from './gateway.ts';
import { listeners, type Listener } from './listener.ts';
import { presentOf } from './members.ts';
import { permissiveHostname } from './permissivehostname.ts';
import { planeProgress } from './planeprogress.ts';
import { planeOf, planeOfGateway } from './planes.ts';
import { placeOf, problem, type Problem } from './problem.ts';
import { condition, no, notYet, yes, type Verdict } from './verdict.ts';

/** `status.listeners[]`. Spec: ListenerStatus. */
export interface ListenerStatus {
  readonly name: string;
  readonly supportedKinds: readonly { readonly group: string; readonly kind: string }[];
  readonly attachedRoutes: number;
  readonly conditions: readonly Condition[];
}

/** The listeners of a Gateway as its status tells them. Spec: ListenerStatus; seed: "Unsupported config is surfaced on resource status". */
export const listenerStatuses = view('listenerStatuses', (gateway, read): readonly ListenerStatus[] => {
  const generation = presentOf(gateways, gateway, read)?.metadata.generation;
  return read(listeners, gateway).map((listener) => ({
    name: listener.name,
    supportedKinds: listener.kinds.map((kind) => ({ group: groups.gateway, kind })),
    attachedRoutes: read(routesByListener, listener.id).length,
    conditions: claims(gateway, listener, read).flatMap(([type, claim]) =>
      claim === undefined ? [] : [condition(type, claim, generation)],
    ),
  }));
});

function claims(gateway: string, listener: Listener, read: Read): [string, Verdict | undefined][] {
  const { conflict } = listener;
  const permissive = permissiveHostname(listener);
  return [
    [conditionTypes.accepted, listener.accepted],
    [conditionTypes.programmed, programmed(listener, gateway, read)],
    [conditionTypes.resolvedRefs, resolvedRefs(listener, read)],
    [conditionTypes.conflicted, conflict === undefined ? undefined : yes(conflict.reason, conflict.message)],
    [
      conditionTypes.permissiveHostname,
      permissive === undefined ? undefined : yes('UnpinnedHostnameAllowsAllNamespaces', permissive),
    ],
  ];
}

/** A refused Gateway takes its listeners with it; otherwise a listener is programmed when its plane is, and it has what it needs to be served. */
function programmed({ id, accepted, conflict }: Listener, gateway: string, read: Read): Verdict {
  if (accepted.status !== 'True') return no(conflict?.reason ?? 'Invalid', accepted.message);
  const ofGateway = read(gatewayAccepted, gateway);
  if (ofGateway.status === 'False') return no('Invalid', `the Gateway is not accepted: ${ofGateway.message}`);
  const plane = read(planeOfGateway, gateway);
  if (plane === undefined) return notYet('Pending', ofGateway.message);
  return certificateMissing(id, plane, read) ?? read(planeProgress, plane).programmed;
}

/** In the cluster nobody completes TLS in the place of the listener. At the edge its certificates change nothing. Spec: ListenerConditionProgrammed. */
function certificateMissing(id: string, plane: string, read: Read): Verdict | undefined {
  if (read(planeOf, plane).settings.service === undefined) return undefined;
  const failed = read(listenerCertificates, id).problems.find(({ verdict }) => verdict.status === 'False');
  return failed === undefined ? undefined : no('Invalid', failed.verdict.message);
}

/** The first reference that failed decides the reason; one that cannot be told decides it only where none failed. */
function resolvedRefs(listener: Listener, read: Read): Verdict {
  const problems = listenerRefProblems(listener, read);
  const [first] = [...problems.filter(({ verdict }) => verdict.status === 'False'), ...problems];
  if (first === undefined) return yes('ResolvedRefs', 'all references are resolved');
  return { ...first.verdict, message: problems.map(({ verdict }) => verdict.message).join('; ') };
}

/** Everything a listener names that does not resolve: kinds of routes, then certificates. */
export function listenerRefProblems({ id, name, refusedKinds }: Listener, read: Read): readonly Problem[] {
  const { problems } = read(listenerCertificates, id);
  if (refusedKinds.length === 0) return problems;
  const gateway = id.slice(0, id.lastIndexOf('/'));
  const index = read(listeners, gateway).findIndex((each) => each.id === id);
  const at = placeOf('Gateway', gateway, 'spec', 'listeners', index, 'allowedRoutes', 'kinds');
  const message = `listener ${name} admits ${refusedKinds.join(', ')}, which this version does not serve; name HTTPRoute of group ${groups.gateway}`;
  return [problem(at, 'InvalidRouteKinds', message), ...problems];
}
