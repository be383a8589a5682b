import { formatIssue } from './formats.ts';
import { compilePattern, patternText } from './patterns.ts';
import { isRecord, type Schema } from './schema.ts';

type Check = (value: unknown, schema: Schema) => string | undefined;

const sizeOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? Array.from(value).length : undefined;
const itemsOf = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined);
const keysOf = (value: unknown): number | undefined => (isRecord(value) ? Object.keys(value).length : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function lowest(measure: (value: unknown) => number | undefined, limit: number | undefined, text: string): Check {
  return (value) => ((measure(value) ?? Infinity) < (limit ?? -Infinity) ? text : undefined);
}

function highest(measure: (value: unknown) => number | undefined, limit: number | undefined, text: string): Check {
  return (value) =>
    (measure(value) ?? -Infinity) > (limit ?? Infinity) ? `${text}, not ${measure(value)}` : undefined;
}

/** One check for each keyword that speaks about a value by itself. */
const checks: Partial<Record<keyof Schema, Check>> = {
  enum: (value, schema) =>
    schema.enum?.some((each) => each === value)
      ? undefined
      : `must be one of ${listed(schema.enum)}, not ${shown(value)}`,
  format: (value, schema) => formatIssue(schema.format ?? '', value),
  minLength: (value, schema) =>
    lowest(
      sizeOf,
      schema.minLength,
      schema.minLength === 1 ? 'must not be empty' : `must have at least ${schema.minLength} characters`,
    )(value, schema),
  maxLength: (value, schema) =>
    highest(sizeOf, schema.maxLength, `must have at most ${schema.maxLength} characters`)(value, schema),
  minItems: (value, schema) =>
    lowest(itemsOf, schema.minItems, `must have at least ${count(schema.minItems, 'item')}`)(value, schema),
  maxItems: (value, schema) =>
    highest(itemsOf, schema.maxItems, `must have at most ${count(schema.maxItems, 'item')}`)(value, schema),
  minProperties: (value, schema) =>
    lowest(keysOf, schema.minProperties, `must have at least ${count(schema.minProperties, 'field')}`)(value, schema),
  maxProperties: (value, schema) =>
    highest(keysOf, schema.maxProperties, `must have at most ${count(schema.maxProperties, 'field')}`)(value, schema),
  minimum: (value, schema) => {
    const low = lowest(numberOf, schema.minimum, `must be at least ${schema.minimum}`)(value, schema);
    return low && `${low}, not ${shown(value)}`;
  },
  maximum: (value, schema) => highest(numberOf, schema.maximum, `must be at most ${schema.maximum}`)(value, schema),
  pattern: (value, schema) => {
    if (typeof value !== 'string' || schema.pattern === undefined) return undefined;
    // A text that is too long is reported as such, and the time a pattern takes stays bounded.
    if (value.length > 2 * (schema.maxLength ?? Infinity)) return undefined;
    return compilePattern(schema.pattern).test(value)
      ? undefined
      : `${patternText(schema.pattern)}, not ${shown(value)}`;
  },
};

/** What must be, for each keyword of `schema` that `value` violates by itself: type first, and nothing more if that is wrong. */
export function valueIssues(value: unknown, schema: Schema): readonly string[] {
  const wrongType = typeIssue(value, schema);
  if (wrongType !== undefined) return [wrongType];
  if (value === null) return [];
  const found: string[] = [];
  for (const keyword of Object.keys(schema) as (keyof Schema)[]) {
    const issue = checks[keyword]?.(value, schema);
    if (issue !== undefined) found.push(issue);
  }
  return found;
}

const articles: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function typeIssue(value: unknown, schema: Schema): string | undefined {
  if (value === null && schema.nullable) return undefined;
  if (schema['x-kubernetes-int-or-string']) {
    return Number.isInteger(value) || typeof value === 'string'
      ? undefined
      : `must be an integer or a string, not ${kindOf(value)}`;
  }
  if (schema.type === undefined || isOf(value, schema.type)) return undefined;
  const hint = schema.type === 'string' && typeof value !== 'object' ? `; put it in quotes` : '';
  return `must be ${articles[schema.type]}, not ${kindOf(value)}${hint}`;
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isRecord(value) : typeof value === type;
}

/** `the string "80"`, `a list`: a value as a message names it. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${shown(value)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function listed(values: readonly unknown[] | undefined): string {
  return (values ?? [])
    .map((each) => (typeof each === 'string' && each !== '' ? each : JSON.stringify(each)))
    .join(', ');
}

function count(number: number | undefined, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
