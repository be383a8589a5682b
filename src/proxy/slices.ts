/** Work in slices: the event loop serves requests between them. */

/** Milliseconds that a slice may take; well below the 20 ms that no reload may stall a request for. */
const sliceMs = 6;

/** Runs a generator to its end, giving way whenever a slice is used up. Errors of the generator reject. */
export async function inSlices<T>(steps: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + sliceMs;
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
