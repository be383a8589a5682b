/** The matcher the proxy serves by: the same answers as `linear.ts`, at a cost that does not grow with the table. */
import type { HostRows, RoutingTable, TableRow } from '../../table/document.ts';
import { conditionsOf, type Asked, type CompiledRow } from './conditions.ts';
import { chainOf, indexHosts, ownersAt, type HostIndex } from './hosts.ts';
import { literalPrefix, literalWithin } from './literal.ts';
import { addRow, bestRow, emptyPathIndex, type PathIndex } from './paths.ts';
import { patternOf, type Pattern, type Patterns } from './regex.ts';
import type { Matched, Matcher, MatchRequest } from './request.ts';

/** A row that answers nothing because a pattern of it does not compile; every other row is served (B-17). */
export interface SkippedRow {
  readonly host: string;
  readonly ruleId: string;
  readonly pattern: string;
  readonly cause: string;
}

/** A table made ready for matching. */
export interface CompiledTable extends Matcher {
  readonly table: RoutingTable;
  /** Rows known to be skipped; complete once `checkPatterns` has run to its end. */
  readonly skipped: readonly SkippedRow[];
  readonly patterns: Patterns;
}

type PatternUse = { readonly host: string; readonly ruleId: string; readonly pattern: Pattern };
type PatternFor = (source: string) => Pattern;

/** Rows between two pauses: about a millisecond. */
const stepSize = 500;

/**
 * Builds the indexes in steps, to be run between requests. Patterns are not compiled here but when first needed; those the
 * `previous` table has compiled are taken over. The result must be swapped in as a whole.
 */
export function* compileInSteps(table: RoutingTable, previous?: CompiledTable): Generator<void, CompiledTable> {
  const { buckets, patterns, uses } = yield* indexRows(table, previous?.patterns);
  const hosts = yield* indexHosts(buckets, table.listeners);
  return compiledTable(table, hosts, patterns, uses);
}

/** Apart from the generators, because functions made there would hold on to the previous table, that to its previous, and so on. */
function compiledTable(
  table: RoutingTable,
  hosts: HostIndex,
  patterns: Patterns,
  uses: readonly PatternUse[],
): CompiledTable {
  return {
    table,
    patterns,
    match: (request) => match(hosts, request),
    owners: (host, door) => ownersAt(hosts, chainOf(hosts, host), door),
    get skipped() {
      return uses.flatMap(({ host, ruleId, pattern: { source, cause } }) =>
        cause === undefined ? [] : [{ host, ruleId, pattern: source, cause }],
      );
    },
  };
}

interface IndexedRows {
  readonly buckets: ReadonlyMap<string, PathIndex>;
  readonly patterns: Patterns;
  readonly uses: readonly PatternUse[];
}

function* indexRows({ hosts, rules }: RoutingTable, known: Patterns | undefined): Generator<void, IndexedRows> {
  const patterns: Patterns = new Map();
  const uses: PatternUse[] = [];
  const buckets = new Map<string, PathIndex>();
  let rows = 0;
  for (const bucket of hosts) {
    const index = emptyPathIndex();
    for (const [rank, row] of bucket.rows.entries()) {
      const patternFor = (source: string): Pattern => {
        const pattern = patterns.get(source) ?? known?.get(source) ?? patternOf(source);
        patterns.set(source, pattern);
        uses.push({ host: bucket.host, ruleId: row.rule, pattern });
        return pattern;
      };
      const compiled = compileRow(rules, bucket, rank, patternFor);
      if (compiled !== undefined) addRow(index, compiled);
      if (++rows % stepSize === 0) yield;
    }
    buckets.set(bucket.host, index);
  }
  return { buckets, patterns, uses };
}

/** The same without pauses. */
export function compile(table: RoutingTable, previous?: CompiledTable): CompiledTable {
  const steps = compileInSteps(table, previous);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Compiles one pattern a step, so that bad ones are known, and good ones warm, before a request needs them. */
export function* checkPatterns({ patterns }: CompiledTable): Generator<void, void> {
  for (const pattern of patterns.values()) {
    pattern.check();
    yield;
  }
}

function match(hosts: HostIndex, request: MatchRequest): Matched | undefined {
  const chain = chainOf(hosts, request.host);
  const owners = ownersAt(hosts, chain, request.door);
  if (chain === undefined || owners.size === 0) return undefined;
  const asked: Asked = { request, owners, query: undefined };
  for (const bucket of chain.buckets) {
    const best = bestRow(bucket, asked);
    if (best !== undefined) return best.matched;
  }
  return undefined;
}

function compileRow(
  rules: RoutingTable['rules'],
  { host, rows }: HostRows,
  rank: number,
  patternFor: PatternFor,
): CompiledRow | undefined {
  const row: TableRow | undefined = rows[rank];
  const rule = row && rules[row.rule];
  if (row === undefined || rule === undefined) return undefined;
  const { path } = row;
  return {
    rank,
    matched: { row, ruleId: row.rule, rule, host },
    listeners: row.listeners,
    method: row.method,
    headers: conditionsOf(row.headers, patternFor, true),
    queryParams: conditionsOf(row.queryParams, patternFor, false),
    pathPattern:
      path.type === 'RegularExpression'
        ? {
            literal: literalPrefix(path.value),
            within: literalWithin(path.value),
            pattern: patternFor(path.value),
          }
        : undefined,
  };
}
