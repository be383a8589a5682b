import type { DerivedChanges } from '../derive/derive.ts';
import type { FactChange } from '../facts/store.ts';
import { classOf, workOnClass } from './classwork.ts';
import { workOnCloudflare } from './cloudflarework.ts';
import { createFindingEvents } from './eventwork.ts';
import { finalizer, workOnGateway } from './gatewaywork.ts';
import type { Parts } from './parts.ts';
import { workOnStatus } from './statuswork.ts';
import { statusKinds, writtenKinds } from './watchedkinds.ts';
import { createWork, type Work, type WorkOptions } from './work.ts';

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
  const { store, derivation } = parts;
  const works = startWorks(parts);
  const findings = createFindingEvents(store, parts.events);
  const enqueue = (changes: DerivedChanges): void => {
    for (const id of changes.planes) {
      works.plane.add(id);
      works.cloudflare.add(id);
    }
    for (const name of changes.statuses) works.status.add(name);
    if (changes.findings) findings.tell(derivation.findings());
  };
  // An object that was deleted and made again lacks the status that is claimed of it, though the claim has not changed.
  const seen = new Set<string>();
  const gathering = gather(() => {
    enqueue(derivation.settle());
    for (const name of seen) works.status.add(name);
    seen.clear();
  });
  const unsubscribe = store.subscribe((change) => {
    gathering.soon();
    if (change.key !== undefined && statusKinds.has(change.kind)) seen.add(`${change.kind}/${change.key}`);
    concerned(parts, change, works);
  });
  derivation.settle();
  const planes = [...derivation.planes().keys()];
  enqueue({ planes, statuses: [...derivation.statuses().keys()], findings: true });
  for (const kind of ['Gateway', 'GatewayClass'])
    for (const key of store.keys(kind)) concerned(parts, { kind, key }, works);
  return {
    depth: () => Object.fromEntries(Object.entries(works).map(([name, work]) => [`gateway-${name}`, work.depth()])),
    async stop() {
      unsubscribe();
      gathering.stop();
      await Promise.all(Object.values(works).map((work) => work.stop()));
    },
  };
}

type Works = Readonly<Record<'plane' | 'status' | 'cloudflare' | 'class', Work>>;

function startWorks(parts: Parts): Works {
  const { logger, worked } = parts;
  const work = (name: keyof Works, run: WorkOptions['run'], concurrency = 4): Work =>
    createWork({
      name,
      logger,
      run,
      concurrency,
      done: (result, seconds) => worked(`gateway-${name}`, result, seconds),
    });
  return {
    plane: work('plane', (id) => workOnGateway(parts, id), parts.maxConcurrentRollouts),
    status: work('status', (name) => workOnStatus(parts, name), 8),
    cloudflare: work('cloudflare', (id) => workOnTunnel(parts, id)),
    class: work('class', (name) => workOnClass(parts, name)),
  };
}

/** A plane that goes is looked after by the work on its Gateway. */
async function workOnTunnel(parts: Parts, id: string) {
  const result = parts.derivation.planes().get(id);
  if (result === undefined || parts.store.get('Gateway', id)?.metadata.deletionTimestamp !== undefined)
    return undefined;
  return workOnCloudflare(parts, result);
}

/** Changes that no rule reads and that are work all the same: what we wrote was changed, a Gateway of ours goes, a class is used or not. */
function concerned(parts: Parts, { kind, key }: FactChange, works: Works): void {
  if (key === undefined) return;
  if (kind === 'GatewayClass') works.class.add(key);
  else if (kind === 'Gateway') gatewayChanged(parts, key, works);
  else if (kind === 'Secret' || (writtenKinds as readonly string[]).includes(kind)) {
    const namespace = key.slice(0, key.indexOf('/') + 1);
    for (const id of parts.derivation.planes().keys()) if (id.startsWith(namespace)) works.plane.add(id);
  }
}

function gatewayChanged({ store }: Parts, key: string, works: Works): void {
  const gateway = store.get('Gateway', key);
  if ((gateway?.metadata.finalizers ?? []).includes(finalizer)) works.plane.add(key);
  // A Gateway that is gone may have been the last of any class.
  const named = classOf(gateway);
  for (const name of named === undefined ? store.keys('GatewayClass') : [named]) works.class.add(name);
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
