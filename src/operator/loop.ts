import type { DerivedChanges } from '../derive/derive.ts';
import type { FactChange } from '../facts/store.ts';
import { workOnCloudflare } from './cloudflarework.ts';
import { finalizer, workOnGateway } from './gatewaywork.ts';
import type { Parts } from './parts.ts';
import { workOnStatus } from './statuswork.ts';
import { writtenKinds } from './watchedkinds.ts';
import { createWork, type Work } from './work.ts';

/** The loop of a leader: facts change, rules settle, and whatever came out differently is worked on. */
export interface Loop {
  /** Ends the loop; resolves when what was begun has ended. */
  stop(): Promise<void>;
  /** Keys waiting, by kind of work. */
  depth(): Readonly<Record<string, number>>;
}

/** How long changes are gathered: a burst is one evaluation, and one change is not kept waiting. */
const gatherMs = 30;
const gatherAtMostMs = 250;

/** Starts with a look at everything, since nobody knows what the last leader got done. */
export function startLoop(parts: Parts): Loop {
  const { store, derivation, logger } = parts;
  const planes = createWork({
    name: 'plane',
    logger,
    run: (id) => workOnGateway(parts, id),
    concurrency: parts.maxConcurrentRollouts,
  });
  const statuses = createWork({ name: 'status', logger, concurrency: 8, run: (name) => workOnStatus(parts, name) });
  const cloudflare = createWork({ name: 'cloudflare', logger, run: (id) => workOnTunnel(parts, id) });
  const works = { plane: planes, status: statuses, cloudflare };
  const enqueue = (changes: DerivedChanges): void => {
    for (const id of changes.planes) {
      planes.add(id);
      cloudflare.add(id);
    }
    for (const name of changes.statuses) statuses.add(name);
  };
  const gathering = gather(() => enqueue(derivation.settle()));
  const unsubscribe = store.subscribe((change) => {
    gathering.soon();
    concerned(parts, change, planes);
  });
  enqueue(derivation.settle());
  for (const id of derivation.planes().keys()) planes.add(id);
  for (const id of derivation.planes().keys()) cloudflare.add(id);
  for (const name of derivation.statuses().keys()) statuses.add(name);
  for (const key of store.keys('Gateway')) concerned(parts, { kind: 'Gateway', key }, planes);
  return {
    depth: () => Object.fromEntries(Object.entries(works).map(([name, work]) => [name, work.depth()])),
    async stop() {
      unsubscribe();
      gathering.stop();
      await Promise.all(Object.values(works).map((work) => work.stop()));
    },
  };
}

/** A plane that goes is looked after by the work on its Gateway. */
async function workOnTunnel(parts: Parts, id: string) {
  const result = parts.derivation.planes().get(id);
  if (result === undefined || parts.store.get('Gateway', id)?.metadata.deletionTimestamp !== undefined)
    return undefined;
  return workOnCloudflare(parts, result);
}

/** Changes that no rule reads and that concern a plane all the same: what we wrote was changed, or a Gateway of ours goes. */
function concerned({ store, derivation }: Parts, { kind, key }: FactChange, planes: Work): void {
  if (key === undefined) return;
  if (kind === 'Gateway') {
    const gateway = store.get('Gateway', key);
    const isGoing = gateway?.metadata.deletionTimestamp !== undefined;
    if (isGoing && (gateway?.metadata.finalizers ?? []).includes(finalizer)) planes.add(key);
  }
  if (!(writtenKinds as readonly string[]).includes(kind) && kind !== 'Secret') return;
  const namespace = key.slice(0, key.indexOf('/') + 1);
  for (const id of derivation.planes().keys()) if (id.startsWith(namespace)) planes.add(id);
}

/** Calls `act` once changes have been quiet for a moment, or have gone on for a while. */
function gather(act: () => void): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;
  const fire = (): void => {
    timer = undefined;
    since = undefined;
    act();
  };
  return {
    soon() {
      const now = performance.now();
      since ??= now;
      clearTimeout(timer);
      timer = setTimeout(fire, Math.max(0, Math.min(gatherMs, since + gatherAtMostMs - now)));
    },
    stop: () => clearTimeout(timer),
  };
}
