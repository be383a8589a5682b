import { withdrawal, writeStatus } from '../effects/kube/status.ts';
import type { Parts } from './parts.ts';

/** Writes what one object's status should say, `<Kind>/<key>`; takes back what is no longer said. Nothing where it says so already. */
export async function workOnStatus({ store, derivation, client, cluster, logger }: Parts, name: string): Promise<void> {
  const slash = name.indexOf('/');
  const object = store.get(name.slice(0, slash), name.slice(slash + 1));
  if (object === undefined) return;
  const claim = derivation.statuses().get(name) ?? withdrawal(object);
  if (claim === undefined) return;
  const written = await writeStatus(client, claim, object);
  if (written.outcome !== 'written') return;
  logger.debug('status', { object: name });
  cluster.observe(written.object);
}
