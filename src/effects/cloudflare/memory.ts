/**
 * What was read or written less than five minutes ago, so that a steady state costs no call; and what failed, so that it is not asked again
 * at once. Source: the seed, "The controller remembers the last document it read or wrote for each tunnel"; field cases B-78, B-79.
 */
import { CloudflareFailure } from './problem.ts';
import type { Problem } from './problem.ts';

export interface Memory<T> {
  /** The remembered value, or what `read` gives; several who ask at once share one reading. */
  get(key: string, read: () => Promise<T>): Promise<T>;
  /** The remembered value, if there is one still good. */
  peek(key: string): T | undefined;
  /** What we wrote ourselves is as good as read. */
  set(key: string, value: T): void;
  forget(key: string): void;
}

export interface MemorySettings {
  readonly now: () => number;
  readonly lifetimeMs: number;
  readonly onHit?: () => void;
}

export function createMemory<T>({ now, lifetimeMs, onHit }: MemorySettings): Memory<T> {
  const entries = new Map<string, { value: T; until: number }>();
  const underWay = new Map<string, Promise<T>>();
  const peek = (key: string): T | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && now() < entry.until ? entry.value : undefined;
  };
  const set = (key: string, value: T): void => {
    underWay.delete(key);
    entries.set(key, { value, until: now() + lifetimeMs });
  };
  return {
    peek,
    set,
    async get(key, read) {
      const remembered = peek(key);
      if (remembered !== undefined) {
        onHit?.();
        return remembered;
      }
      const running = underWay.get(key);
      if (running !== undefined) return running;
      const reading = read();
      underWay.set(key, reading);
      try {
        const value = await reading;
        // A write in the meantime knows better than a reading that began before it.
        if (underWay.get(key) === reading) set(key, value);
        return value;
      } finally {
        if (underWay.get(key) === reading) underWay.delete(key);
      }
    },
    forget(key) {
      underWay.delete(key);
      entries.delete(key);
    },
  };
}

export interface Patience {
  /** Does it, unless the same thing failed a short while ago: then that failure is thrown again without a call. */
  attempt<T>(key: string, action: () => Promise<T>): Promise<T>;
  /** The earliest moment at which something that failed may be tried again; undefined where nothing waits. */
  earliest(): number | undefined;
}

/** Milliseconds: the seed's 15 s; what waiting alone does not heal is asked for ever more rarely, down to once in five minutes. */
const firstWait = 15_000;
const longestWait = 300_000;

export function createPatience(now: () => number): Patience {
  const waits = new Map<string, { until: number; wait: number; problem: Problem }>();
  return {
    async attempt(key, action) {
      const earlier = waits.get(key);
      if (earlier !== undefined && now() < earlier.until) throw new CloudflareFailure(earlier.problem);
      try {
        const value = await action();
        waits.delete(key);
        return value;
      } catch (error) {
        if (error instanceof CloudflareFailure) {
          const wait = waitAfter(error.problem, earlier?.wait);
          waits.set(key, { until: Math.max(now() + wait, error.problem.notBefore ?? 0), wait, problem: error.problem });
        }
        throw error;
      }
    },
    earliest() {
      const ahead = [...waits.values()].map(({ until }) => until).filter((until) => until > now());
      return ahead.length === 0 ? undefined : Math.min(...ahead);
    },
  };
}

function waitAfter({ kind, reason }: Problem, before: number | undefined): number {
  if (reason === 'RateLimited' || reason === 'Stopped') return 0;
  if (reason === 'Busy') return firstWait / 3;
  return kind === 'terminal' && before !== undefined ? Math.min(before * 2, longestWait) : firstWait;
}
