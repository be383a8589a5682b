import { conditionTypes } from '../../api/conditions.ts';
import { rule, type Read } from '../engine/declare.ts';
import type { DnsSettings } from '../plane.ts';
import type { StatusClaim } from '../results.ts';
import { clientCertificate } from './certificaterefs.ts';
import { gateways } from './collections.ts';
import { gatewayAccepted, gatewayOwnership } from './gateway.ts';
import { addressProblem, gatewayAddress, serviceAddresses } from './gatewayaddress.ts';
import { listenerStatuses } from './listenerstatus.ts';
import { memberOf } from './members.ts';
import { planeSettings } from './parameters.ts';
import { planeProgress, type PlaneProgress } from './planeprogress.ts';
import { planeOfGateway } from './planes.ts';
import { condition, no, notYet, yes, type Verdict } from './verdict.ts';

/** Status of a Gateway of ours. Spec: GatewayStatus; gateway parameters, "Conditions of this system". */
export const gatewayStatus = rule('gatewayStatus', {
  each: gateways,
  emit: (key, read): StatusClaim | undefined => {
    if (read(gatewayOwnership, key) !== 'ours') return undefined;
    const { apiVersion, kind, metadata } = memberOf(gateways, key, read);
    const { namespace, name, generation } = metadata;
    const conditions = claims(key, read).flatMap(([type, claim]) =>
      claim === undefined ? [] : [condition(type, claim, generation)],
    );
    const status = { ...addresses(key, read), conditions, listeners: read(listenerStatuses, key) };
    return { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name, status };
  },
});

/**
 * Of a Gateway that is refused nothing is told where to find it. Those of the Service come first, the tunnel's hostname last; while a
 * Service in the cluster has none yet, nothing is told, as who asks for the first address means that one. Seed: "A Gateway on the shared
 * plane clears status.addresses"; decisions, "Addresses".
 */
function addresses(key: string, read: Read): { addresses?: readonly unknown[] } {
  const plane = read(planeOfGateway, key);
  if (plane === undefined || read(gatewayAccepted, key).status !== 'True') return {};
  const inCluster = read(serviceAddresses, plane);
  const isAwaited = inCluster?.length === 0 && read(planeSettings, key).settings?.service?.type !== 'LoadBalancer';
  const value = read(gatewayAddress, key);
  const all = [...(inCluster ?? []), ...(value === undefined ? [] : [{ type: 'Hostname', value }])];
  return isAwaited || all.length === 0 ? {} : { addresses: all };
}

function claims(key: string, read: Read): [string, Verdict | undefined][] {
  const { settings } = read(planeSettings, key);
  const accepted = read(gatewayAccepted, key);
  const plane = read(planeOfGateway, key);
  const progress = plane === undefined ? undefined : read(planeProgress, plane);
  return [
    [conditionTypes.accepted, accepted],
    [conditionTypes.programmed, programmed(accepted, progress, read(addressProblem, key)?.verdict)],
    [conditionTypes.resolvedRefs, resolvedRefs(key, read)],
    [conditionTypes.dnsManagement, settings === undefined ? undefined : dnsManagement(settings.dns)],
    [conditionTypes.ready, ready(accepted, progress)],
  ];
}

/** Spec: GatewayConditionProgrammed. */
function programmed(accepted: Verdict, progress: PlaneProgress | undefined, address: Verdict | undefined): Verdict {
  if (accepted.status === 'False') return no('Invalid', `the Gateway is not accepted: ${accepted.message}`);
  if (progress?.programmed.status === 'False') return progress.programmed;
  return address ?? progress?.programmed ?? notYet('Pending', accepted.message);
}

/** Spec: GatewayConditionResolvedRefs, about references outside listeners; there is none without such a reference. */
function resolvedRefs(key: string, read: Read): Verdict | undefined {
  const found = read(clientCertificate, key);
  if (found === undefined) return undefined;
  return found.problems[0]?.verdict ?? yes('ResolvedRefs', 'all references are resolved');
}

/** Gateway parameters: `All hostnames`, or the zones, one a line. */
function dnsManagement(dns: DnsSettings): Verdict {
  switch (dns.mode) {
    case 'all':
      return yes('Enabled', 'All hostnames');
    case 'zones':
      return yes('Enabled', dns.zones.join('\n'));
    case 'off':
      return no('Disabled', 'DNS management is off: spec.dns.zones of the parameters is empty');
  }
}

/** As kstatus reads it: terminal for what only an edit can mend, under way otherwise. */
function ready(accepted: Verdict, progress: PlaneProgress | undefined): Verdict {
  if (accepted.status === 'False') return no('ReconciliationFailed', accepted.message);
  return progress?.ready ?? notYet('Progressing', accepted.message);
}
