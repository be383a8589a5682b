/**
 * Keeps one kind in the store: a list, then a watch from there, for ever. No end of a watch is final: it is taken up where it stopped,
 * or the kind is listed again, with growing pauses while that fails. Source: field cases B-107 and B-108; client-go's reflector.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../observe/logger.ts';
import { createBackoff } from './backoff.ts';
import type { KubeClient } from './client.ts';
import { servesKind } from './discovery.ts';
import { isFailure } from './failure.ts';
import { listObjects, watchObjects } from './reads.ts';
import type { Reflection } from './reflection.ts';
import type { WatchedKind } from './watchedkind.ts';

/** All in milliseconds, but for `watchSeconds`. */
export interface ReflectorTimes {
  /** Longest silence of a watch. The API server sends a bookmark after two minutes and then each minute (measured with 1.36), so a longer one means that it is gone. */
  readonly idle: number;
  /** After how long the API server ends a watch; each asks for one to two times that, so that they do not all end together. */
  readonly watchSeconds: number;
  /** Until a kind that is not served is asked for again, if nothing wakes the reflector before. */
  readonly absent: number;
  /** How long a kind may fail before what is known of it no longer counts as complete. */
  readonly stale: number;
  /** The first and the longest pause between two attempts that fail. */
  readonly pauses: { readonly first: number; readonly most: number };
  /** The same as `stale` where it is refused to us. An API server that is starting refuses everybody for a moment. */
  readonly refused: number;
}

export const reflectorTimes: ReflectorTimes = {
  idle: 130_000,
  watchSeconds: 300,
  absent: 30_000,
  stale: 120_000,
  pauses: { first: 500, most: 10_000 },
  refused: 10_000,
};

/** How a kind is doing; `since` is a time of `performance.now()`. */
export type ReflectorState =
  | { readonly is: 'starting' | 'live' | 'absent' }
  | { readonly is: 'failing'; readonly why: string; readonly since: number };

export interface Reflector {
  readonly kind: WatchedKind;
  state(): ReflectorState;
  /** The apiVersion the kind is read under. */
  apiVersion(): string;
  /** Resolves with the first answer: a list, that the kind is not served, or that it is refused or failing for long. */
  readonly settled: Promise<void>;
  /** Asks again for a kind that was not served. */
  wake(): void;
  /** Resolves when it has ended, by the signal. */
  readonly ended: Promise<void>;
}

export interface ReflectorOptions {
  readonly client: KubeClient;
  readonly kind: WatchedKind;
  readonly reflection: Reflection;
  readonly logger: Logger;
  readonly times: ReflectorTimes;
  readonly signal: AbortSignal;
}

/** What the loop remembers between two attempts. */
interface Memory {
  state: ReflectorState;
  apiVersion: string;
  /** Where the watch goes on; undefined: list first. */
  resume: string | undefined;
  isListed: boolean;
  /** Until when a kind that is not served is asked for each second: its definition has just come or changed. */
  eagerUntil: number;
  wakeUp: AbortController;
  readonly settle: () => void;
}

export function startReflector(options: ReflectorOptions): Reflector {
  const { kind, reflection, signal } = options;
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  const memory: Memory = {
    state: { is: 'starting' },
    apiVersion: kind.apiVersion,
    resume: undefined,
    isListed: false,
    eagerUntil: 0,
    wakeUp: new AbortController(),
    settle,
  };
  reflection.know({ complete: false, why: `the ${kind.kind} objects of the cluster are not read yet` });
  const ended = run(options, memory).finally(settle);
  signal.addEventListener('abort', () => memory.wakeUp.abort(), { once: true });
  return {
    kind,
    state: () => memory.state,
    apiVersion: () => memory.apiVersion,
    settled,
    wake() {
      if (memory.state.is !== 'absent') return;
      memory.eagerUntil = performance.now() + eager;
      memory.wakeUp.abort();
    },
    ended,
  };
}

/** A definition is served a moment after it is there, and five seconds later where several API servers have to learn of it. */
const eager = 15_000;

/** A watch that lived that long ends the growth of the pauses. */
const healthy = 10_000;

async function run(options: ReflectorOptions, memory: Memory): Promise<void> {
  const { signal } = options;
  const backoff = createBackoff(options.times.pauses);
  while (!signal.aborted) {
    const began = performance.now();
    try {
      const isServed = memory.resume !== undefined || (await list(options, memory));
      if (isServed) await watch(options, memory);
      if (isServed && performance.now() - began > 1000) backoff.reset();
      // One that ends at once, again and again, must not become a storm.
      else await pause(isServed ? backoff.next() : untilAskedAgain(options, memory), memory);
    } catch (error) {
      if (signal.aborted) return;
      if (performance.now() - began > healthy) backoff.reset();
      fail(options, memory, error);
      await pause(backoff.next(), memory);
    }
  }
}

function untilAskedAgain({ times }: ReflectorOptions, { eagerUntil }: Memory): number {
  return performance.now() < eagerUntil ? Math.min(1000, times.absent) : times.absent;
}

/** Lists the kind under the first of its versions that is served. False: under none. */
async function list({ client, kind, reflection, logger, signal }: ReflectorOptions, memory: Memory): Promise<boolean> {
  for (const apiVersion of [kind.apiVersion, ...kind.otherVersions]) {
    try {
      const { objects, resourceVersion } = await listObjects(client, { ...kind, apiVersion }, kind, signal);
      reflection.replace(objects, resourceVersion, apiVersion);
      reflection.know({ complete: true });
      Object.assign(memory, { apiVersion, resume: resourceVersion, isListed: true });
      memory.settle();
      return true;
    } catch (error) {
      if (!isFailure(error, 'notFound')) throw error;
    }
  }
  // Not from a single 404: it would mean that all objects are gone, and what follows from that is not easily undone.
  for (const apiVersion of [kind.apiVersion, ...kind.otherVersions]) {
    if (await servesKind(client, { ...kind, apiVersion }, signal))
      throw new Error(`${kind.kind} (${apiVersion}) is announced by the API server but cannot be listed yet`);
  }
  if (memory.state.is !== 'absent') logger.info(`${kind.kind} is not served by this cluster: it has no objects`);
  memory.state = { is: 'absent' };
  reflection.clear();
  reflection.know({ complete: true });
  memory.settle();
  return false;
}

async function watch(options: ReflectorOptions, memory: Memory): Promise<void> {
  const { client, kind, reflection, logger, times, signal } = options;
  const { apiVersion, resume = '' } = memory;
  const live = (): void => {
    if (memory.state.is === 'failing') logger.info(`${kind.kind}: the cluster answers again`);
    memory.state = { is: 'live' };
  };
  const events = watchObjects(
    client,
    { ...kind, apiVersion },
    {
      ...kind,
      resourceVersion: resume,
      seconds: Math.round(times.watchSeconds * (1 + Math.random())),
      idle: times.idle,
      opened: live,
      signal,
    },
  );
  for await (const event of events) {
    if (event.type === 'ERROR') {
      memory.resume = undefined;
      throw event.failure;
    }
    if (event.type === 'BOOKMARK') memory.resume = event.resourceVersion;
    else {
      memory.resume = event.object.metadata.resourceVersion;
      if (event.type === 'DELETED') reflection.remove(event.object);
      else reflection.observe(event.object, apiVersion);
    }
  }
}

/** What a failure means for the next attempt, and for what is known. */
function fail(options: ReflectorOptions, memory: Memory, error: unknown): void {
  const { kind, reflection, logger } = options;
  const wasListing = memory.resume === undefined;
  if (isFailure(error, 'gone', 'notFound')) memory.resume = undefined;
  // A moment that is too old is no fault: the kind is listed again.
  if (isFailure(error, 'gone')) return logger.debug(`${kind.kind}: ${error.message}`);
  const { state } = memory;
  const why = error instanceof Error ? error.message : String(error);
  const isFailing = state.is === 'failing';
  if (!isFailing || state.why !== why) logger.warn(`${kind.kind}: ${why}`);
  const since = isFailing ? state.since : performance.now();
  memory.state = { is: 'failing', why, since };
  const isOver = isTooLong(options, memory, { error, since });
  // Where only the watch fails, each new list still tells everything.
  if (wasListing && (isOver || !memory.isListed)) reflection.know({ complete: false, why });
  if (isOver) memory.settle();
}

function isTooLong(
  { times }: ReflectorOptions,
  { isListed }: Memory,
  { error, since }: { readonly error: unknown; readonly since: number },
): boolean {
  const isRefused = isFailure(error, 'forbidden', 'unauthorized');
  if (isRefused && !isListed) return true;
  return performance.now() - since >= (isRefused ? times.refused : times.stale);
}

/** Waits, unless something wakes it. */
async function pause(milliseconds: number, memory: Memory): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal: memory.wakeUp.signal });
  } catch {
    memory.wakeUp = new AbortController();
  }
}
