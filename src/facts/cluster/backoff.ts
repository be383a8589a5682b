/** Growing pauses between attempts, spread out so that many do not come back at the same moment. */
export interface Backoff {
  /** Milliseconds to wait before the next attempt. */
  next(): number;
  /** The last attempt went well: the next pause is the first again. */
  reset(): void;
}

/**
 * Doubles from `first` up to `most` milliseconds; each pause is between half of that and all of it. With 500 ms and 10 s that is at most
 * 13 attempts in the first minute of an outage, and a recovery noticed within ten seconds. Source: field case B-108.
 */
export function createBackoff({ first = 500, most = 10_000, random = Math.random } = {}): Backoff {
  let attempts = 0;
  return {
    next() {
      const pause = Math.min(most, first * 2 ** attempts);
      attempts += 1;
      return pause * (1 + random()) * 0.5;
    },
    reset: () => void (attempts = 0),
  };
}
