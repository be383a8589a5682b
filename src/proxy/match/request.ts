import type { TableRow, TableRule } from '../../table/document.ts';

/** What the gate has made of a request: all that matching looks at. */
export interface MatchRequest {
  /** Lower-case, without port. An IPv6 literal keeps its brackets; empty if the request named no host. */
  readonly host: string;
  /** In the normal form of `normalPath`. */
  readonly path: string;
  /** As received, without the `?`; empty if there is none. */
  readonly query: string;
  /** Case-sensitive, as received. */
  readonly method: string;
  /** Every value of the header whose lower-case name this is, one per field line; empty if absent. */
  headerValues(name: string): readonly string[];
}

/** The row that won, and what it leads to. */
export interface Matched {
  readonly row: TableRow;
  readonly ruleId: string;
  readonly rule: TableRule;
  /** The host bucket of the row: `app.example.com`, `*.example.com` or `*`. */
  readonly host: string;
}

/** Finds the row that answers a request; `undefined` is a 404. */
export interface Matcher {
  match(request: MatchRequest): Matched | undefined;
}
