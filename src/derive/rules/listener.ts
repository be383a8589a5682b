import type {
  GatewaySpecListeners,
  GatewaySpecListenersAllowedRoutesNamespaces,
} from '../../../imports/gateway.networking.k8s.io.ts';
import { groups } from '../../api/names.ts';
import { view } from '../engine/declare.ts';
import { gateways } from './collections.ts';
import { anyHost } from './hostnames.ts';
import { selectorProblem } from './labelselector.ts';
import { presentOf } from './members.ts';
import { no, yes, type Verdict } from './verdict.ts';

/** A listener of a Gateway with what was concluded about it by itself and beside its neighbours. */
export interface Listener {
  /** `<namespace>/<gateway>/<name>`, as in the routing table. */
  readonly id: string;
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  /** Lower case; `*` where the listener has none. */
  readonly hostname: string;
  /** allowedRoutes.namespaces; none means the Gateway's own. */
  readonly namespaces?: GatewaySpecListenersAllowedRoutesNamespaces;
  readonly accepted: Verdict;
  /** Why it holds no port of its own, where an earlier listener does. */
  readonly conflict?: Verdict;
  /** Kinds of routes it admits, of those we serve. */
  readonly kinds: readonly string[];
  /** allowedRoutes.kinds that are served by nobody here. */
  readonly refusedKinds: readonly string[];
}

/** Route kinds we serve. */
const servedKinds = ['HTTPRoute'];
const servedProtocols = ['HTTP', 'HTTPS'];

/**
 * The listeners of a Gateway in their order, each with its verdict. Empty for a Gateway that is not there.
 * Spec: GatewaySpec.listeners; seeds: "Unsupported config is surfaced on resource status", "Gateway Listener Configuration".
 */
export const listeners = view('listeners', (gateway, read): readonly Listener[] => {
  const specs = presentOf(gateways, gateway, read)?.spec.listeners ?? [];
  const found: Listener[] = [];
  for (const spec of specs) found.push(judge(gateway, spec, found));
  return found;
});

function judge(gateway: string, spec: GatewaySpecListeners, earlier: readonly Listener[]): Listener {
  const { name, port, protocol } = spec;
  const hostname = (spec.hostname ?? '').toLowerCase() || anyHost;
  const kinds = routeKinds(spec);
  const namespaces = spec.allowedRoutes?.namespaces;
  const listener = {
    id: `${gateway}/${name}`,
    name,
    port,
    protocol,
    hostname,
    ...kinds,
    ...(namespaces === undefined ? {} : { namespaces }),
  };
  if (!servedProtocols.includes(protocol)) return { ...listener, kinds: [], accepted: unsupported(name, protocol) };
  const selector = namespaces?.from === 'Selector' ? namespaces.selector : undefined;
  const problem = selector === undefined ? undefined : selectorProblem(selector);
  if (problem !== undefined) return { ...listener, accepted: badSelector(name, problem) };
  const conflict = conflictOf(listener, earlier);
  if (conflict !== undefined) return { ...listener, accepted: conflict, conflict };
  return { ...listener, accepted: yes('Accepted', 'the listener is served') };
}

function unsupported(name: string, protocol: string): Verdict {
  return no(
    'UnsupportedProtocol',
    `listener ${name} has protocol ${protocol}, which a Cloudflare tunnel does not carry to a Gateway; use HTTP or HTTPS`,
  );
}

/** Seed, "Listener isolation": a listener whose namespace selector does not parse admits no route and owns nothing. */
function badSelector(name: string, problem: string): Verdict {
  return no('Invalid', `listener ${name}: allowedRoutes.namespaces.selector does not parse: ${problem}`);
}

/** A listener that cannot be served beside an earlier one on its port. Spec: Listener, "Conflicted". */
function conflictOf(
  listener: Pick<Listener, 'name' | 'port' | 'protocol' | 'hostname'>,
  earlier: readonly Listener[],
): Verdict | undefined {
  const rivals = earlier.filter(({ port, accepted }) => port === listener.port && accepted.status === 'True');
  const { name, port, protocol, hostname } = listener;
  const other = rivals.find((rival) => rival.protocol !== protocol);
  if (other !== undefined)
    return no(
      'ProtocolConflict',
      `listener ${name} has protocol ${protocol} on port ${port}, which listener ${other.name} holds with ${other.protocol}; give it another port`,
    );
  const same = rivals.find((rival) => rival.hostname === hostname);
  if (same === undefined) return undefined;
  const host = hostname === anyHost ? 'no hostname' : `hostname ${hostname}`;
  return no(
    'HostnameConflict',
    `listener ${name} has ${host} on port ${port} as listener ${same.name} does; give it another hostname or port`,
  );
}

function routeKinds({ allowedRoutes }: GatewaySpecListeners): Pick<Listener, 'kinds' | 'refusedKinds'> {
  const asked = allowedRoutes?.kinds ?? [];
  if (asked.length === 0) return { kinds: servedKinds, refusedKinds: [] };
  const isServed = ({ group, kind }: { group?: string; kind: string }): boolean =>
    (group ?? groups.gateway) === groups.gateway && servedKinds.includes(kind);
  return {
    kinds: [...new Set(asked.filter(isServed).map(({ kind }) => kind))],
    refusedKinds: asked.filter((each) => !isServed(each)).map(({ kind }) => kind),
  };
}
