/** 1,200 calls in five minutes for a token; after that all its calls are refused until the five minutes are over. */

export interface RateLimit {
  readonly calls: number;
  readonly windowMs: number;
}

export const realLimit: RateLimit = { calls: 1200, windowMs: 300_000 };

export interface Limiter {
  /** Seconds to wait, or undefined where the call may pass. */
  refuse(token: string): number | undefined;
}

export function createLimiter(limit: RateLimit, now: () => number = Date.now): Limiter {
  const windows = new Map<string, { start: number; calls: number }>();
  return {
    refuse(token) {
      const window = windows.get(token);
      if (window === undefined || now() - window.start >= limit.windowMs) {
        windows.set(token, { start: now(), calls: 1 });
        return limit.calls < 1 ? Math.ceil(limit.windowMs / 1000) : undefined;
      }
      window.calls += 1;
      return window.calls > limit.calls ? Math.ceil((window.start + limit.windowMs - now()) / 1000) : undefined;
    },
  };
}
