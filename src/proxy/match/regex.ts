/**
 * Regular expressions of the table: RE2 syntax, linear time, always against the whole value.
 * A pattern is compiled when it is first needed: a table of a thousand patterns must not hold up its own swap.
 */
import { RE2JS } from 're2js';

/** A pattern of the table. One that does not compile matches nothing. */
export interface Pattern {
  readonly source: string;
  /** True if the whole value matches. */
  test(value: string): boolean;
  /** Compiles the pattern if that was not done before; says why it does not compile, if so. */
  check(): string | undefined;
  /** Why it does not compile, as far as that is known yet. */
  readonly cause: string | undefined;
}

/** Patterns by source, so that equal ones are compiled once, and those of the last table not again. */
export type Patterns = Map<string, Pattern>;

/** A pattern that has not been compiled yet. */
export function patternOf(source: string): Pattern {
  let expression: RE2JS | undefined;
  let cause: string | undefined;
  const check = (): string | undefined => {
    if (expression !== undefined || cause !== undefined) return cause;
    try {
      expression = RE2JS.compile(source);
    } catch (error) {
      cause = error instanceof Error ? error.message : String(error);
    }
    return cause;
  };
  return {
    source,
    test: (value) => check() === undefined && expression !== undefined && expression.testExact(value),
    check,
    get cause() {
      return cause;
    },
  };
}
