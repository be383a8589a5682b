import type { FindingCode } from '../../api/findings.ts';
import { annotations } from '../../api/names.ts';
import { rule, type Read } from '../engine/declare.ts';
import type { Finding } from '../results.ts';
import { clientCertificate, listenerCertificates } from './certificaterefs.ts';
import { gateways } from './collections.ts';
import { credentials } from './credentials.ts';
import { planeProblem } from './dataplane.ts';
import { gatewayOwnership, gatewayProblems } from './gateway.ts';
import { addressProblem } from './gatewayaddress.ts';
import { classOwnership } from './gatewayclass.ts';
import { listeners, type Listener } from './listener.ts';
import { listenerRefProblems } from './listenerstatus.ts';
import { memberOf } from './members.ts';
import { planeSettings } from './parameters.ts';
import { permissiveHostname } from './permissivehostname.ts';
import { planeOfGateway } from './planes.ts';
import { findingOf, placeOf } from './problem.ts';

/** What a person should know of a Gateway: the sentences of its status, with the fields they are about. */
export const gatewayFindings = rule('gatewayFindings', {
  each: gateways,
  emit: (key, read): readonly Finding[] => {
    switch (read(gatewayOwnership, key)) {
      case 'ours':
        return ofOurs(key, read);
      case 'suspended':
        return [suspended(key)];
      case 'foreign':
        return withoutClass(key, read);
      default:
        return [];
    }
  },
});

function ofOurs(key: string, read: Read): readonly Finding[] {
  const address = read(addressProblem, key);
  const certificate = read(clientCertificate, key);
  return [
    ...read(gatewayProblems, key).map((each) => findingOf(each)),
    ...unknownSwitch(key, read),
    ...read(planeSettings, key).remarks,
    ...read(credentials, key).remarks,
    ...(address === undefined ? [] : [findingOf(address, 'warning')]),
    ...(certificate?.problems ?? []).map((each) => findingOf(each)),
    ...(certificate?.remarks ?? []),
    ...unbuilt(key, read),
    ...read(listeners, key).flatMap((listener, index) => ofListener(key, listener, index, read)),
  ];
}

function unbuilt(key: string, read: Read): readonly Finding[] {
  const plane = read(planeOfGateway, key);
  const message = plane === undefined ? undefined : read(planeProblem, plane);
  return message === undefined
    ? []
    : [{ code: 'PlaneNotBuilt', severity: 'error', ...placeOf('Gateway', key), message }];
}

function ofListener(gateway: string, listener: Listener, index: number, read: Read): readonly Finding[] {
  const { accepted, id } = listener;
  const at = placeOf('Gateway', gateway, 'spec', 'listeners', index);
  const permissive = permissiveHostname(listener);
  return [
    ...(accepted.status === 'True'
      ? []
      : [{ code: accepted.reason as FindingCode, severity: 'error' as const, ...at, message: accepted.message }]),
    // The listener serves all the same: its certificate is never shown, and the kinds that are served still attach.
    ...listenerRefProblems(listener, read).map((each) => findingOf(each, 'warning')),
    ...read(listenerCertificates, id).remarks,
    ...(permissive === undefined
      ? []
      : [
          {
            code: 'UnpinnedHostnameAllowsAllNamespaces' as const,
            severity: 'warning' as const,
            ...at,
            message: permissive,
          },
        ]),
  ];
}

/** Neither of the two words the annotation knows: the default holds, most likely against the writer's wish. */
function unknownSwitch(key: string, read: Read): readonly Finding[] {
  const value = memberOf(gateways, key, read).metadata.annotations?.[annotations.reconcile];
  if (value === undefined || value === 'enabled') return [];
  const message = `annotation ${annotations.reconcile} of Gateway ${key} is "${value}" and is taken as enabled; write enabled or disabled`;
  const at = placeOf('Gateway', key, 'metadata', 'annotations', annotations.reconcile);
  return [{ code: 'UnsupportedSetting', severity: 'warning', ...at, message }];
}

function suspended(key: string): Finding {
  const message = `Gateway ${key} is left alone: its annotation says that reconciliation is disabled`;
  return {
    code: 'Suspended',
    severity: 'note',
    ...placeOf('Gateway', key, 'metadata', 'annotations', annotations.reconcile),
    message,
  };
}

/** Most often a misspelled name: nobody at all serves such a Gateway. */
function withoutClass(key: string, read: Read): readonly Finding[] {
  const { gatewayClassName } = memberOf(gateways, key, read).spec;
  if (read(classOwnership, gatewayClassName) !== 'absent') return [];
  const message = `GatewayClass ${gatewayClassName} does not exist, so that nobody serves Gateway ${key}; correct the name or add the class`;
  const at = placeOf('Gateway', key, 'spec', 'gatewayClassName');
  return [{ code: 'GatewayClassNotFound', severity: 'warning', ...at, message }];
}
