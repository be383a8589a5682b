/** A timer for the wait until the response head; it never covers the body (seed: "Interaction with spec.rules[].timeouts"). */
export interface Deadline {
  stop(): void;
}

/** Calls back once after that many milliseconds, unless it is stopped. */
export function startDeadline(milliseconds: number, expired: () => void): Deadline {
  const timer = setTimeout(expired, milliseconds);
  return { stop: () => clearTimeout(timer) };
}

/** The stricter of the two; without retries a single attempt is the whole request. 0 is none. */
export function strictest(request = 0, backendRequest = 0): number {
  if (request === 0) return backendRequest;
  return backendRequest === 0 ? request : Math.min(request, backendRequest);
}
