/** Ctrl-C and its like: clear up, then end with the exit code a shell expects. */

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export interface Interruption {
  readonly happened: boolean;
  /** Does not resolve: for those who would otherwise go on. */
  readonly never: Promise<never>;
  forget(): void;
}

/** Clears up and ends the process at the first of these signals. */
export function whenInterrupted(clearUp: () => Promise<void>): Interruption {
  const names = Object.keys(codes) as (keyof typeof codes)[];
  let happened = false;
  const listener = (name: keyof typeof codes): void => {
    if (happened) return;
    happened = true;
    void clearUp().finally(() => process.exit(codes[name]));
  };
  for (const name of names) process.on(name, listener);
  return {
    get happened() {
      return happened;
    },
    never: new Promise(() => {}),
    forget() {
      for (const name of names) process.removeListener(name, listener);
    },
  };
}
