import type { Logger } from '../observe/logger.ts';

/** Keyed work: whatever is asked for while a key is being worked on is done once, afterwards. */
export interface Work {
  /** Asks for a key to be worked on, now or after so many milliseconds. */
  add(key: string, afterMs?: number): void;
  /** Keys asked for and not begun. */
  depth(): number;
  /** Begins nothing more; resolves when what was begun has ended. */
  stop(): Promise<void>;
}

/** What became of a key: done, or to be done again after so many milliseconds. */
export type Worked = { readonly againMs?: number } | undefined | void;

export interface WorkOptions {
  readonly name: string;
  readonly run: (key: string) => Promise<Worked>;
  readonly logger: Logger;
  /** Keys at a time. */
  readonly concurrency?: number;
  /** Tells of each key worked on: for metrics. */
  readonly done?: (result: 'success' | 'error' | 'requeue_after', seconds: number) => void;
}

const firstRetryMs = 500;
const longestRetryMs = 60_000;

/**
 * A queue that holds each key once, works on each key alone, and tries again what failed, ever more slowly. A burst of a thousand
 * changes of one key is two runs at most.
 */
export function createWork(options: WorkOptions): Work {
  const { concurrency = 4 } = options;
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const failures = new Map<string, number>();
  let isStopped = false;

  const add = (key: string, afterMs = 0): void => {
    if (isStopped) return;
    if (afterMs > 0) return later.set(key, afterMs);
    waiting.add(key);
    pump();
  };
  const later = createTimers(add);
  const pump = (): void => {
    for (const key of waiting) {
      if (running.size >= concurrency || isStopped) return;
      if (running.has(key)) continue;
      waiting.delete(key);
      running.set(key, work(key));
    }
  };
  const work = async (key: string): Promise<void> => {
    const againMs = await attempt(options, key, failures);
    if (againMs !== undefined && !isStopped) later.set(key, againMs);
    running.delete(key);
    pump();
  };
  return {
    add,
    depth: () => waiting.size,
    async stop() {
      isStopped = true;
      later.clear();
      await Promise.all(running.values());
    },
  };
}

/** One run of one key: when it is to be tried again, if at all. Never throws. */
async function attempt(
  { name, run, logger, done = () => undefined }: WorkOptions,
  key: string,
  failures: Map<string, number>,
): Promise<number | undefined> {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1000;
  try {
    const { againMs } = (await run(key)) ?? {};
    failures.delete(key);
    done(againMs === undefined ? 'success' : 'requeue_after', seconds());
    return againMs;
  } catch (error) {
    const failed = (failures.get(key) ?? 0) + 1;
    failures.set(key, failed);
    logger.warn(`${name} failed, it is tried again`, { key, failed, error });
    done('error', seconds());
    return Math.min(longestRetryMs, firstRetryMs * 2 ** (failed - 1));
  }
}

interface Timers {
  /** The earlier of two times counts. */
  set(key: string, afterMs: number): void;
  clear(): void;
}

function createTimers(due: (key: string) => void): Timers {
  const timers = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>();
  return {
    set(key, afterMs) {
      const at = performance.now() + afterMs;
      const before = timers.get(key);
      if (before !== undefined && before.at <= at) return;
      clearTimeout(before?.timer);
      const fire = (): void => {
        timers.delete(key);
        due(key);
      };
      timers.set(key, { at, timer: setTimeout(fire, afterMs) });
    },
    clear() {
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
