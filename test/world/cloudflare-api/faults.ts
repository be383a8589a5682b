/** Failures on request: which calls, what happens to them, once or always. */

export interface Fault {
  /** `GET`, `POST|PUT` …; any when left out. */
  readonly method?: string;
  /** A regular expression on the path below the API's root; any when left out. */
  readonly path?: string;
  /** A regular expression on the query, as written; any when left out. */
  readonly query?: string;
  /** How many calls it meets; all when left out. */
  readonly times?: number;
  /** How many calls that it would meet are let through first. */
  readonly after?: number;
  /** Milliseconds before anything happens. */
  readonly delay?: number;
  /** An answer in place of the real one. */
  readonly status?: number;
  readonly errors?: readonly { readonly code: number; readonly message: string }[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The body as it is, JSON or not, in place of an envelope. */
  readonly body?: string;
  /** The connection is cut: `before` the call has any effect, or `after` it took effect (the answer is lost). */
  readonly reset?: 'before' | 'after';
}

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** The fault that meets this call, counted. */
  take(method: string, path: string, query: string): Fault | undefined;
}

export function createFaults(): Faults {
  let active: { fault: Fault; passes: number; left: number }[] = [];
  return {
    add(fault) {
      active.push({ fault, passes: fault.after ?? 0, left: fault.times ?? Number.POSITIVE_INFINITY });
    },
    clear() {
      active = [];
    },
    take(method, path, query) {
      for (const entry of active) {
        if (entry.left <= 0 || !meets(entry.fault, method, path, query)) continue;
        if (entry.passes > 0) {
          entry.passes -= 1;
          continue;
        }
        entry.left -= 1;
        return entry.fault;
      }
      return undefined;
    },
  };
}

function meets(fault: Fault, method: string, path: string, query: string): boolean {
  return (
    (fault.method === undefined || new RegExp(`^(${fault.method})$`).test(method)) &&
    (fault.path === undefined || new RegExp(fault.path).test(path)) &&
    (fault.query === undefined || new RegExp(fault.query).test(query))
  );
}
