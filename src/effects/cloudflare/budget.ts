/**
 * Calls an API token may still make. Cloudflare allows 1,200 in five minutes for a token and then blocks all of its calls, the user's own
 * included, so we stop ourselves before. Source: DESIGN §6; field case B-79.
 */
import { failure } from './problem.ts';

export interface CallBudget {
  /** Counts one call. Throws a RateLimited failure, without a call, when none may be made now. */
  take(): void;
  /** After a 429: no call before this moment (milliseconds since the epoch). */
  blockUntil(moment: number): void;
  left(): number;
}

export interface BudgetLimits {
  /** The rest up to 1,200 is for people and other tools that use the same token. */
  readonly calls: number;
  readonly windowMs: number;
}

export const defaultLimits: BudgetLimits = { calls: 1000, windowMs: 300_000 };

export function createBudget(limits: BudgetLimits, now: () => number): CallBudget {
  /** Moments of the calls in the window, oldest first. */
  let calls: number[] = [];
  let blockedUntil = 0;
  const forgetOld = (): void => {
    const oldest = now() - limits.windowMs;
    if ((calls[0] ?? oldest) < oldest) calls = calls.filter((moment) => moment >= oldest);
  };
  return {
    take() {
      forgetOld();
      if (now() < blockedUntil) throw refusal(blockedUntil, now(), 'Cloudflare asked to wait (429)');
      const first = calls[0];
      if (calls.length >= limits.calls && first !== undefined) {
        throw refusal(first + limits.windowMs + 1, now(), `${limits.calls} calls were made in five minutes`);
      }
      calls.push(now());
    },
    blockUntil(moment) {
      blockedUntil = Math.max(blockedUntil, moment);
    },
    left() {
      forgetOld();
      return now() < blockedUntil ? 0 : limits.calls - calls.length;
    },
  };
}

function refusal(notBefore: number, now: number, why: string): Error {
  const seconds = Math.ceil((notBefore - now) / 1000);
  const message = `calls to the Cloudflare API wait for ${seconds} s to stay below its rate limit: ${why}`;
  return failure({ kind: 'transient', reason: 'RateLimited', message, notBefore });
}
