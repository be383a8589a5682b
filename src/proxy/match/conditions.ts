/** A row made ready for matching, and whether it answers a request whose path it has been looked up by. */
import type { ValueMatch } from '../../table/document.ts';
import { queryValues } from './query.ts';
import type { Pattern } from './regex.ts';
import type { Matched, MatchRequest } from './request.ts';

/** A condition on the values of one header or query parameter: any of them may meet it. */
export interface Condition {
  readonly name: string;
  readonly meets: (value: string) => boolean;
}

/** The path condition that no index decides; two literal texts rule out most paths without running the pattern. */
export interface PathPattern {
  /** At the beginning of every path that matches. */
  readonly literal: string;
  /** Somewhere behind it. */
  readonly within: string;
  readonly pattern: Pattern;
}

export interface CompiledRow {
  /** Rank within its bucket: of two rows that answer, the lower one wins. */
  readonly rank: number;
  readonly matched: Matched;
  readonly listeners: readonly string[];
  readonly method: string | undefined;
  readonly headers: readonly Condition[];
  readonly queryParams: readonly Condition[];
  readonly pathPattern: PathPattern | undefined;
}

/** A request on its way through the buckets. */
export interface Asked {
  readonly request: MatchRequest;
  /** Ids of the listeners that own the host. */
  readonly owners: ReadonlySet<string>;
  /** The decoded query, made when the first row asks for it. */
  query: ((name: string) => readonly string[]) | undefined;
}

/** Whether every condition holds but those the index has decided, cheap ones first. */
export function holds(row: CompiledRow, asked: Asked): boolean {
  const { request } = asked;
  if (row.method !== undefined && row.method !== request.method) return false;
  if (row.pathPattern !== undefined && !mayMatch(row.pathPattern, request.path)) return false;
  if (!isOwned(row, asked.owners)) return false;
  if (row.headers.length > 0 && !headersHold(row, request)) return false;
  if (row.queryParams.length > 0 && !queryHolds(row, asked)) return false;
  return row.pathPattern === undefined || row.pathPattern.pattern.test(request.path);
}

const noConditions: readonly Condition[] = [];

/** `patternFor` gives the pattern of a source; `lowerCase` is for headers, whose names have no case. */
export function conditionsOf(
  matches: readonly ValueMatch[] | undefined,
  patternFor: (source: string) => Pattern,
  lowerCase: boolean,
): readonly Condition[] {
  if (matches === undefined) return noConditions;
  return matches.map(({ name, type, value }) => {
    const pattern = type === 'RegularExpression' ? patternFor(value) : undefined;
    return {
      name: lowerCase ? name.toLowerCase() : name,
      meets: pattern === undefined ? equals(value) : matchesOf(pattern),
    };
  });
}

// Made apart, so that a condition holds on to its value or pattern and to nothing else of the table it was made for.
function equals(value: string): Condition['meets'] {
  return (actual) => actual === value;
}

function matchesOf(pattern: Pattern): Condition['meets'] {
  return (actual) => pattern.test(actual);
}

function mayMatch({ literal, within }: PathPattern, path: string): boolean {
  return path.startsWith(literal) && path.includes(within, literal.length);
}

function isOwned({ listeners }: CompiledRow, owners: ReadonlySet<string>): boolean {
  for (const id of listeners) if (owners.has(id)) return true;
  return false;
}

function headersHold({ headers }: CompiledRow, request: MatchRequest): boolean {
  for (const condition of headers) if (!anyMeets(request.headerValues(condition.name), condition)) return false;
  return true;
}

function queryHolds({ queryParams }: CompiledRow, asked: Asked): boolean {
  asked.query ??= queryValues(asked.request.query);
  for (const condition of queryParams) if (!anyMeets(asked.query(condition.name), condition)) return false;
  return true;
}

function anyMeets(values: readonly string[], condition: Condition): boolean {
  for (const value of values) if (condition.meets(value)) return true;
  return false;
}
