import { RE2JS } from 're2js';
import type { HttpRouteSpecRulesMatches } from '../../../imports/gateway.networking.k8s.io.ts';
import type { PathMatch, TableRow, ValueMatch } from '../../table/document.ts';
import { normalPath, prefixValue } from '../../table/path.ts';

/** A match as the table holds it: a row without what it belongs to. */
export type TableMatch = Pick<TableRow, 'path' | 'method' | 'headers' | 'queryParams'>;

/** A match of a rule, or why there is none: a pattern that does not compile, a path that no request can have. */
export type MatchResult =
  | { readonly match: TableMatch; readonly refused?: never; readonly remarks: readonly MatchRemark[] }
  | { readonly refused: MatchRemark; readonly match?: never };

/** A sentence about a field below the match. */
export interface MatchRemark {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Spec: HTTPRouteMatch. Everything in a match must hold; where nothing is said of the path, it is the prefix `/`. */
export function tableMatch(match: HttpRouteSpecRulesMatches): MatchResult {
  const { path, refused } = pathMatch(match.path);
  if (refused !== undefined) return { refused };
  const headers = firstByName(match.headers ?? [], (name) => name.toLowerCase()).map(valueMatch);
  const queryParams = firstByName(match.queryParams ?? [], (name) => name).map(valueMatch);
  const patterns = patternsOf(match);
  const broken = patterns.map(broke).find((remark) => remark !== undefined);
  if (broken !== undefined) return { refused: broken };
  return {
    match: {
      path,
      ...(match.method === undefined ? {} : { method: match.method }),
      ...(headers.length === 0
        ? {}
        : { headers: headers.map((header) => ({ ...header, name: header.name.toLowerCase() })) }),
      ...(queryParams.length === 0 ? {} : { queryParams }),
    },
    remarks: patterns.map(halfAnchored).filter((remark) => remark !== undefined),
  };
}

interface Value {
  readonly name: string;
  readonly type?: string;
  readonly value: string;
}

function pathMatch(given: HttpRouteSpecRulesMatches['path']): {
  readonly path: PathMatch;
  readonly refused?: MatchRemark;
} {
  const type = given?.type ?? 'PathPrefix';
  const value = given?.value ?? '/';
  if (type === 'RegularExpression') return { path: { type, value } };
  const { path, refused } = normalPath(value);
  const normal = path ?? value;
  return {
    path: { type, value: type === 'PathPrefix' ? prefixValue(normal) : normal },
    ...(refused === undefined
      ? {}
      : { refused: { path: ['path', 'value'], message: `"${value}" can match no request: ${refused}` } }),
  };
}

/** Names that are equal count once, the first with its value. Spec: HTTPHeaderMatch.name, HTTPQueryParamMatch.name. */
function firstByName(values: readonly Value[], normal: (name: string) => string): readonly Value[] {
  const seen = new Map<string, Value>();
  for (const value of values) {
    const name = normal(value.name);
    if (!seen.has(name)) seen.set(name, value);
  }
  return [...seen.values()];
}

function valueMatch({ name, type, value }: Value): ValueMatch {
  return { name, type: type === 'RegularExpression' ? 'RegularExpression' : 'Exact', value };
}

interface PatternAt {
  readonly path: readonly (string | number)[];
  readonly pattern: string;
}

function patternsOf(match: HttpRouteSpecRulesMatches): readonly PatternAt[] {
  const isPattern = ({ type }: { readonly type?: string }): boolean => type === 'RegularExpression';
  const path =
    match.path !== undefined && isPattern(match.path)
      ? [{ path: ['path', 'value'], pattern: match.path.value ?? '/' }]
      : [];
  const within = (field: 'headers' | 'queryParams'): PatternAt[] =>
    (match[field] ?? []).flatMap((each, at) =>
      isPattern(each) ? [{ path: [field, at, 'value'], pattern: each.value }] : [],
    );
  return [...path, ...within('headers'), ...within('queryParams')];
}

function broke({ path, pattern }: PatternAt): MatchRemark | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { path, message: `"${pattern}" is no RE2 pattern: ${cause}` };
  }
}

/** Decisions, "Regular expressions": a pattern matches the whole value; one with a single anchor was likely written for a search. */
function halfAnchored({ path, pattern }: PatternAt): MatchRemark | undefined {
  const starts = pattern.startsWith('^');
  const ends = pattern.endsWith('$') && !pattern.endsWith('\\$');
  if (starts === ends) return undefined;
  const fix = starts ? 'end it in .* to match what begins so' : 'begin it with .* to match what ends so';
  return { path, message: `"${pattern}" is compared with the whole value, not searched in it; ${fix}` };
}
