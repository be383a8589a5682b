import type { TableListener, TableRow, TableRule } from '../../table/document.ts';

/** An in-cluster door: all listeners of one port and protocol. */
export type ListenerDoor = Pick<TableListener, 'port' | 'protocol'>;

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
  /** Where it came in; nothing at the tunnel door, which stands for the listeners of all ports. */
  readonly door?: ListenerDoor | undefined;
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
  /** Ids of the listeners a host belongs to, at a door or through the tunnel. */
  owners(host: string, door?: ListenerDoor): ReadonlySet<string>;
}
