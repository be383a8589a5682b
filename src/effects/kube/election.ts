/**
 * Leader election on a Lease. Whoever holds it and renews it leads; who stops doing so is followed by another once the Lease has run out,
 * counted from when the others last saw it renewed, so that no clock is compared with another. A leader that cannot renew stops of its
 * own accord well before anybody could follow. Source: client-go, tools/leaderelection; field case B-16.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeClient } from '../../facts/cluster/client.ts';
import { isFailure } from '../../facts/cluster/failure.ts';
import { knownKind } from '../../facts/cluster/kinds.ts';
import { objectPath } from '../../facts/cluster/resource.ts';
import { silentLogger, type Logger } from '../../observe/logger.ts';
import type { Term } from './fence.ts';
import { heldSpec, newLease, releasedSpec, type Lease, type LeaseHolder, type LeaseSpec } from './lease.ts';
import { createObject, patchObject } from './writes.ts';

/** In milliseconds. */
export interface ElectionTimes {
  /** How long a Lease lasts without being renewed. */
  readonly lease: number;
  /** How long a leader that cannot renew still leads; less than `lease`. */
  readonly renewDeadline: number;
  readonly renewEvery: number;
  /** How often the others look. A released Lease is taken within that, a dead leader's within that and `lease`. */
  readonly askEvery: number;
}

/** A dead leader is followed after fifteen seconds at the latest, which leaves two for a slow machine. */
export const electionTimes: ElectionTimes = { lease: 14_000, renewDeadline: 10_000, renewEvery: 2000, askEvery: 1000 };

export interface ElectionOptions {
  readonly client: KubeClient;
  readonly namespace: string;
  /** Of the Lease. */
  readonly name: string;
  /** Of this process: no other may have it, a process started again in the same pod neither. */
  readonly identity: string;
  /** Called when this replica begins to lead. What it writes goes through `fenced(client, term)`. */
  readonly onStarted: (term: Term) => void;
  /** Called when it no longer does; awaited before the Lease is given back on a clean stop. */
  readonly onStopped: (why: string) => void | Promise<void>;
  readonly logger?: Logger;
  readonly times?: Partial<ElectionTimes>;
}

export interface Election {
  isLeading(): boolean;
  /** Stops leading, then gives the Lease back, so that another takes over at once. */
  stop(): Promise<void>;
}

/** What is known of the Lease. */
interface View {
  lease: Lease | undefined;
  /** When this version of it was first seen, by `performance.now()`. */
  seenAt: number;
  /** Until when we lead, by the same clock; zero while we do not. */
  validUntil: number;
  term: AbortController | undefined;
}

interface Campaign extends ElectionOptions {
  readonly all: ElectionTimes;
  readonly logger: Logger;
  readonly view: View;
  readonly stopping: AbortSignal;
}

/** Starts to stand for election, until it is stopped. */
export function startElection(options: ElectionOptions): Election {
  const stopping = new AbortController();
  const campaign: Campaign = {
    logger: silentLogger,
    ...options,
    all: { ...electionTimes, ...options.times },
    view: { lease: undefined, seenAt: 0, validUntil: 0, term: undefined },
    stopping: stopping.signal,
  };
  const ended = run(campaign);
  return {
    isLeading: () => isLeading(campaign.view),
    async stop() {
      stopping.abort();
      await ended;
      await resign(campaign);
    },
  };
}

function isLeading({ term, validUntil }: View): boolean {
  return term !== undefined && performance.now() < validUntil;
}

const late = 'the Lease could not be renewed in time';

async function run(campaign: Campaign): Promise<void> {
  const { view, all, stopping } = campaign;
  while (!stopping.aborted) {
    await attempt(campaign);
    if (view.term !== undefined && !isLeading(view)) await lose(campaign, late);
    await rest(pauseOf(view, all), stopping);
  }
}

/** Until the next look: when the Lease runs out, if that is sooner. Some of it is chance, so that rivals do not move in step. */
function pauseOf(view: View, { renewEvery, askEvery, lease }: ElectionTimes): number {
  const spread = 0.8 + Math.random() * 0.2;
  if (view.term !== undefined) return Math.min(renewEvery * spread, Math.max(0, view.validUntil - performance.now()));
  const left = view.seenAt + durationOf(view.lease, lease) - performance.now();
  return left > 0 ? Math.min(askEvery * spread, left) : askEvery * spread;
}

function durationOf(lease: Lease | undefined, otherwise: number): number {
  const seconds = lease?.spec.leaseDurationSeconds;
  return seconds === undefined ? otherwise : seconds * 1000;
}

/** Looks at the Lease, and takes or renews it where that is ours to do. Nothing is thrown: what fails is tried again. */
async function attempt(campaign: Campaign): Promise<void> {
  const { view, all, logger, client } = campaign;
  const began = performance.now();
  // A request that hangs must not keep a leader from trying again, nor a stop from ending.
  const signal = AbortSignal.timeout(Math.ceil(all.renewDeadline / 3));
  const limited: KubeClient = { ...client, send: (request) => client.send({ ...request, signal }) };
  try {
    const isOurs = await (view.term === undefined ? take(campaign, limited) : renew(campaign, limited));
    if (isOurs) win(campaign, began);
  } catch (error) {
    if (isFailure(error, 'conflict', 'alreadyExists')) return;
    logger.warn('the Lease cannot be read or renewed', { error });
  }
}

function holderOf({ identity, all }: Campaign): LeaseHolder {
  return { identity, duration: Math.max(1, Math.ceil(all.lease / 1000)) };
}

/** Takes the Lease if nobody holds it any more. Throws `conflict` where somebody was faster. */
async function take(campaign: Campaign, client: KubeClient): Promise<boolean> {
  const { namespace, name, identity, all, view } = campaign;
  const lease = await look(campaign, client);
  if (lease === undefined) {
    const first = newLease({ namespace, name }, holderOf(campaign), new Date());
    see(view, (await createObject(client, first)) as Lease);
    return true;
  }
  const { holderIdentity = '' } = lease.spec;
  const isFree = holderIdentity === '' || holderIdentity === identity;
  if (!isFree && performance.now() < view.seenAt + durationOf(lease, all.lease)) return false;
  await put(view, client, heldSpec(lease, holderOf(campaign), new Date()));
  return true;
}

/** Renews the Lease as we know it; the write itself tells whether it still stands. */
async function renew(campaign: Campaign, client: KubeClient): Promise<boolean> {
  const { identity, view } = campaign;
  if (view.lease === undefined) return false;
  try {
    await put(view, client, heldSpec(view.lease, holderOf(campaign), new Date()));
    return true;
  } catch (error) {
    if (!isFailure(error, 'conflict', 'notFound')) throw error;
  }
  // Somebody wrote it: a label, or their own name.
  const lease = await look(campaign, client);
  const holder = lease?.spec.holderIdentity ?? '';
  if (holder === identity) return renew(campaign, client);
  await lose(campaign, holder === '' ? 'the Lease was taken away' : `${holder} holds the Lease`);
  return false;
}

async function look({ namespace, name, view }: Campaign, client: KubeClient): Promise<Lease | undefined> {
  const path = objectPath(knownKind('Lease'), { namespace, name });
  try {
    const lease = (await client.send({ method: 'GET', path, what: `get Lease ${namespace}/${name}` })) as Lease;
    see(view, lease);
    return lease;
  } catch (error) {
    if (!isFailure(error, 'notFound')) throw error;
    view.lease = undefined;
    return undefined;
  }
}

async function put(view: View, client: KubeClient, spec: LeaseSpec): Promise<void> {
  if (view.lease !== undefined) see(view, (await patchObject(client, view.lease, { spec })) as Lease);
}

function see(view: View, lease: Lease): void {
  if (view.lease?.metadata.resourceVersion !== lease.metadata.resourceVersion) view.seenAt = performance.now();
  view.lease = lease;
}

/** The term counts from before the request: from then on the others may count. */
function win(campaign: Campaign, began: number): void {
  const { view, all, logger, identity } = campaign;
  const until = began + all.renewDeadline;
  if (performance.now() >= until || campaign.stopping.aborted) return;
  view.validUntil = until;
  if (view.term !== undefined) return;
  const term = new AbortController();
  view.term = term;
  logger.info('this replica leads', { identity });
  endInTime(campaign, term);
  campaign.onStarted({ signal: term.signal, isValid: () => view.term === term && isLeading(view) });
}

/** Ends the term when its time is over, whatever the loop is waiting for. */
function endInTime(campaign: Campaign, term: AbortController): void {
  const { view } = campaign;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = view.validUntil - performance.now();
    if (left > 0) timer = setTimeout(wait, left);
    else void lose(campaign, late);
  };
  wait();
  term.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

async function lose({ view, logger, onStopped, identity }: Campaign, why: string): Promise<void> {
  const { term } = view;
  if (term === undefined) return;
  view.term = undefined;
  view.validUntil = 0;
  term.abort(new Error(why));
  logger.warn('this replica no longer leads', { identity, why });
  try {
    await onStopped(why);
  } catch (error) {
    logger.error('stopping to lead failed', { error });
  }
}

/** The work ends before the Lease is given back: whoever takes it may begin at once. */
async function resign(campaign: Campaign): Promise<void> {
  const { view, client, logger, identity } = campaign;
  await lose(campaign, 'this replica is stopped');
  if (view.lease?.spec.holderIdentity !== identity) return;
  try {
    // Should it have been taken meanwhile, the lock refuses this.
    await put(view, client, releasedSpec(new Date()));
  } catch (error) {
    logger.warn('the Lease could not be given back; it runs out by itself', { error });
  }
}

async function rest(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch {
    // Stopped.
  }
}
