/**
 * The specification of matching, written for reading: every row of every bucket, one after the other. The indexed matcher
 * must agree with it, and `cfgwctl route` tells from it why a row lost.
 */
import type { RoutingTable, TableRow, ValueMatch } from '../../table/document.ts';
import { prefixValue } from '../../table/path.ts';
import { anyHost, hostNames, listenersAt, ownersOf } from './isolation.ts';
import { queryValues } from './query.ts';
import { patternOf } from './regex.ts';
import type { Matched, Matcher, MatchRequest } from './request.ts';

/** A row that was considered, and the reason it did not answer; the winner has none. */
export interface ExplainedRow {
  readonly host: string;
  /** Position within its host bucket, from 0. */
  readonly rank: number;
  readonly row: TableRow;
  readonly lost?: string;
}

/** Everything `cfgwctl route` tells about the choice of a row. */
export interface Explanation {
  readonly winner?: Matched;
  /** Ids of the listeners that own the host, sorted. None: no listener takes this host at all. */
  readonly owners: readonly string[];
  /** Rows of every bucket that covers the host, in the order they are tried. */
  readonly rows: readonly ExplainedRow[];
}

/** The reference matcher. */
export function linearMatcher(table: RoutingTable): Matcher {
  return {
    match: (request) => explain(table, request).winner,
    owners: (host, door) => ownersOf(host, listenersAt(door, table.listeners)),
  };
}

/** Walks the buckets from the most specific on; the first row whose every condition holds and that owns the host wins. */
export function explain(table: RoutingTable, request: MatchRequest): Explanation {
  const owners = ownersOf(request.host, listenersAt(request.door, table.listeners));
  const rows: ExplainedRow[] = [];
  let winner: Matched | undefined;
  for (const name of new Set(hostNames(request.host))) {
    const bucket = table.hosts.find(({ host }) => host === name);
    for (const [rank, row] of (bucket?.rows ?? []).entries()) {
      const rule = table.rules[row.rule];
      const lost = whyNot(row, request, owners) ?? (winner === undefined ? undefined : 'a higher-ranked row won');
      rows.push({ host: name, rank, row, ...(lost === undefined ? {} : { lost }) });
      if (lost === undefined && rule !== undefined) winner = { row, ruleId: row.rule, rule, host: name };
    }
  }
  return { ...(winner === undefined ? {} : { winner }), owners: [...owners].toSorted(), rows };
}

/** The first condition of the row that does not hold, as a sentence. */
function whyNot(row: TableRow, request: MatchRequest, owners: ReadonlySet<string>): string | undefined {
  return (
    whyNotPath(row, request.path) ??
    whyNotMethod(row, request.method) ??
    whyNotHeaders(row, request) ??
    whyNotQuery(row, request) ??
    whyNotOwned(row, owners)
  );
}

function whyNotPath({ path: { type, value } }: TableRow, path: string): string | undefined {
  switch (type) {
    case 'Exact':
      return path === value ? undefined : `the path ${path} is not ${value}`;
    case 'PathPrefix':
      return isUnder(prefixValue(value), path) ? undefined : `the path ${path} is not under ${value}`;
    case 'RegularExpression':
      return whyNotPattern(value, [path], 'the path');
  }
}

/** By path element: `/foo` covers `/foo` and `/foo/bar`, never `/foobar`. */
function isUnder(prefix: string, path: string): boolean {
  return prefix === '/' || path === prefix || path.startsWith(`${prefix}/`);
}

function whyNotMethod({ method }: TableRow, asked: string): string | undefined {
  return method === undefined || method === asked ? undefined : `the method ${asked} is not ${method}`;
}

function whyNotHeaders({ headers }: TableRow, request: MatchRequest): string | undefined {
  return whyNotValues(headers, (name) => request.headerValues(name.toLowerCase()), 'header');
}

function whyNotQuery({ queryParams }: TableRow, request: MatchRequest): string | undefined {
  return whyNotValues(queryParams, queryValues(request.query), 'query parameter');
}

function whyNotValues(
  conditions: readonly ValueMatch[] | undefined,
  valuesOf: (name: string) => readonly string[],
  kind: string,
): string | undefined {
  for (const { name, type, value } of conditions ?? []) {
    const values = valuesOf(name);
    const subject = `${kind} ${name}`;
    if (values.length === 0) return `${subject} is absent`;
    if (type === 'Exact' && !values.includes(value)) return `${subject} is ${quoted(values)}, not "${value}"`;
    const lost = type === 'RegularExpression' ? whyNotPattern(value, values, subject) : undefined;
    if (lost !== undefined) return lost;
  }
  return undefined;
}

/** One of the values must match as a whole. */
function whyNotPattern(source: string, values: readonly string[], subject: string): string | undefined {
  const pattern = patternOf(source);
  const broken = pattern.check();
  if (broken !== undefined) return `the pattern ${source} does not compile: ${broken}`;
  return values.some((value) => pattern.test(value))
    ? undefined
    : `${subject} is ${quoted(values)}, which ${source} does not match as a whole`;
}

function whyNotOwned({ listeners }: TableRow, owners: ReadonlySet<string>): string | undefined {
  if (listeners.some((id) => owners.has(id))) return undefined;
  const owner = owners.size === 0 ? 'no listener' : [...owners].toSorted().join(', ');
  return `listener isolation: the host belongs to ${owner}, the route is attached through ${listeners.join(', ') || anyHost}`;
}

function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
