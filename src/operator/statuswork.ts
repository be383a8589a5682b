import { withdrawal, writeStatus } from '../effects/kube/status.ts';
import { ownedBy } from '../effects/kube/ownership.ts';
import { applyObject } from '../effects/kube/writes.ts';
import type { StatusClaim } from '../derive/results.ts';
import { namespacedName, type KubeObject } from '../facts/object.ts';
import type { Parts } from './parts.ts';
import { scopeOf } from './planework.ts';

const statusKind = 'CloudflareGatewayStatus';

/** Writes what one object's status should say, `<Kind>/<key>`; takes back what is no longer said. Nothing where it says so already. */
export async function workOnStatus(parts: Parts, name: string): Promise<void> {
  const { store, derivation, client, cluster, logger } = parts;
  const slash = name.indexOf('/');
  const [kind, key] = [name.slice(0, slash), name.slice(slash + 1)];
  const claimed = derivation.statuses().get(name);
  const object = store.get(kind, key) ?? (kind === statusKind ? await createStatusObject(parts, claimed) : undefined);
  if (object === undefined) return;
  const claim = claimed ?? withdrawal(object);
  if (claim === undefined) return;
  const written = await writeStatus(client, claim, object);
  if (written.outcome !== 'written') return;
  logger.debug('status', { object: name });
  cluster.observe(written.object);
}

/** The object that shows what was made for a Gateway; it goes with the Gateway. */
async function createStatusObject(
  { store, client, cluster }: Parts,
  claim: StatusClaim | undefined,
): Promise<KubeObject | undefined> {
  if (claim === undefined) return undefined;
  const { apiVersion, kind, namespace, name } = claim;
  const gateway = store.get('Gateway', namespacedName(namespace, name));
  const scope = gateway === undefined ? undefined : scopeOf(gateway, { name });
  if (scope === undefined) return undefined;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }), labels: scope.labels };
  const created = await applyObject(client, ownedBy(scope, { apiVersion, kind, metadata }));
  cluster.observe(created);
  return created;
}
