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
export function createWork({ name, run, logger, concurrency = 4, done = () => undefined }: WorkOptions): Work {
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const timers = new Map<string, { readonly due: number; readonly timer: NodeJS.Timeout }>();
  const failures = new Map<string, number>();
  let isStopped = false;

  const add = (key: string, afterMs = 0): void => {
    if (isStopped) return;
    if (afterMs > 0) return later(key, afterMs);
    waiting.add(key);
    pump();
  };
  /** The earlier of two times counts. */
  const later = (key: string, afterMs: number): void => {
    const due = performance.now() + afterMs;
    const before = timers.get(key);
    if (before !== undefined && before.due <= due) return;
    clearTimeout(before?.timer);
    const timer = setTimeout(() => {
      timers.delete(key);
      add(key);
    }, afterMs);
    timers.set(key, { due, timer });
  };
  const pump = (): void => {
    for (const key of waiting) {
      if (running.size >= concurrency || isStopped) return;
      if (running.has(key)) continue;
      waiting.delete(key);
      running.set(
        key,
        work(key).finally(() => ended(key)),
      );
    }
  };
  const ended = (key: string): void => {
    running.delete(key);
    pump();
  };
  const work = async (key: string): Promise<void> => {
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / 1000;
    try {
      const { againMs } = (await run(key)) ?? {};
      failures.delete(key);
      if (againMs !== undefined) later(key, againMs);
      done(againMs === undefined ? 'success' : 'requeue_after', seconds());
    } catch (error) {
      const failed = (failures.get(key) ?? 0) + 1;
      failures.set(key, failed);
      logger.warn(`${name} failed, it is tried again`, { key, failed, error });
      done('error', seconds());
      later(key, Math.min(longestRetryMs, firstRetryMs * 2 ** (failed - 1)));
    }
  };
  return {
    add,
    depth: () => waiting.size,
    async stop() {
      isStopped = true;
      for (const { timer } of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
