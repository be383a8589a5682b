import { tableHash } from '../../table/hash.ts';
import { view, type Read } from '../engine/declare.ts';
import type { PlaneCertificates } from '../results.ts';
import { listenerCertificates } from './certificaterefs.ts';
import { secrets } from './collections.ts';
import { listeners } from './listener.ts';
import { presentOf } from './members.ts';
import { planeOf, planes } from './planes.ts';

/**
 * The certificates that the proxies of a plane show in the cluster; nothing where it has no Service. By names and a hash: no value leaves
 * the facts. Source: decisions, "One projected volume".
 */
export const planeCertificates = view('planeCertificates', (id, read): PlaneCertificates | undefined => {
  if (read(planeOf, id).settings.service === undefined) return undefined;
  const served = read(planes, id)
    .flatMap((gateway) => read(listeners, gateway))
    .filter(({ accepted, protocol }) => accepted.status === 'True' && protocol === 'HTTPS')
    .map((listener) => ({ listener: listener.id, ...read(listenerCertificates, listener.id) }));
  const found = served.map(({ listener, secrets: keys }) => ({ listener, secrets: keys }));
  return {
    listeners: found.filter(({ secrets: keys }) => keys.length > 0),
    hash: tableHash(JSON.stringify(found.map((each) => [each, each.secrets.map((key) => contentOf(key, read))]))),
    isHeld: served.some(({ problems }) => problems.some(({ verdict }) => verdict.status === 'Unknown')),
  };
});

function contentOf(key: string, read: Read): string {
  const data = presentOf(secrets, key, read)?.data ?? {};
  return tableHash(`${data['tls.crt'] ?? ''} ${data['tls.key'] ?? ''}`);
}
