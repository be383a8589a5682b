/**
 * What a reader does with a document of another version. A newer minor version may add fields, which are ignored, and
 * filter types, which fail closed: leaving out a filter could serve what the route meant to withhold.
 */
import { tableSchema, type FixedAnswer } from './document.ts';
import { TableError } from './error.ts';

const knownFilters: ReadonlySet<unknown> = new Set([
  'RequestHeaderModifier',
  'ResponseHeaderModifier',
  'RequestRedirect',
  'URLRewrite',
]);

/** Throws unless the document has the major version of this build. `schema` has been checked to be `<major>.<minor>`. */
export function checkVersion(schema: string): void {
  if (Number.parseInt(schema, 10) === tableSchema.major) return;
  throw new TableError(
    `The document has schema ${schema} and this build reads ${tableSchema.major}.x: use builds of the same release for controller and data plane.`,
  );
}

/** The rule as this build can serve it: a filter it does not know makes the rule, or that share of it, an answer of 500. */
export function servableRule(rule: unknown): unknown {
  if (!isObject(rule)) return rule;
  const unknown = unknownFilter(rule['filters']);
  if (unknown !== undefined) return { source: rule['source'], answer: unknownFilterAnswer(unknown) };
  const shares = rule['backends'];
  if (!Array.isArray(shares) || !shares.some((share) => unknownFilter(filtersOf(share)) !== undefined)) return rule;
  return { ...rule, backends: shares.map(servableShare) };
}

function servableShare(share: unknown): unknown {
  const unknown = unknownFilter(filtersOf(share));
  if (!isObject(share) || unknown === undefined) return share;
  return { weight: share['weight'], answer: unknownFilterAnswer(unknown) };
}

function unknownFilter(filters: unknown): string | undefined {
  if (!Array.isArray(filters)) return undefined;
  const types = filters.map((filter: unknown) => (isObject(filter) ? filter['type'] : undefined));
  return types.find((type): type is string => typeof type === 'string' && !knownFilters.has(type));
}

function filtersOf(share: unknown): unknown {
  return isObject(share) ? share['filters'] : undefined;
}

function unknownFilterAnswer(type: string): FixedAnswer {
  return { status: 500, why: `this build does not know the filter ${type}` };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
