/**
 * Regular expressions of the table: RE2 syntax, linear time, always against the whole value.
 * A pattern is compiled when it is first needed: a table of a thousand patterns must not hold up its own swap.
 */
import { RE2JS } from 're2js';

/** A pattern of the table. */
export interface Pattern {
  readonly source: string;
  /** True if the whole value matches; false for every value once the pattern has turned out not to compile. */
  test(value: string): boolean;
  /** Compiles now if that was not done before; says why the pattern does not compile. */
  broken(): string | undefined;
}

/** Patterns by source, so that equal ones are compiled once. */
export type Patterns = Map<string, Pattern>;

type Compiled = { readonly expression: RE2JS } | { readonly cause: string };

export function patternOf(source: string): Pattern {
  let compiled: Compiled | undefined;
  const ready = (): Compiled => (compiled ??= compile(source));
  return {
    source,
    test(value) {
      const state = ready();
      return 'expression' in state && state.expression.testExact(value);
    },
    broken() {
      const state = ready();
      return 'cause' in state ? state.cause : undefined;
    },
  };
}

function compile(source: string): Compiled {
  try {
    return { expression: RE2JS.compile(source) };
  } catch (error) {
    return { cause: error instanceof Error ? error.message : String(error) };
  }
}
