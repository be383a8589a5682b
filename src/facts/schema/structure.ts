import type { Path } from '../fieldpath.ts';
import { isRecord, type Report, type Schema } from './schema.ts';
import { valueIssues } from './values.ts';

/**
 * Reports where `value` is not of the shape that `schema` asks for, in the order of the schema. Unknown fields and CEL rules
 * are checks of their own. A value of the wrong type is reported once and not looked into.
 */
export function checkStructure(value: unknown, schema: Schema, report: Report, path: Path = []): void {
  const own = valueIssues(value, schema);
  for (const message of own) report(path, message);
  if (own.length > 0 && !fits(value, schema)) return;
  checkAlternatives(value, schema, report, path);
  if (Array.isArray(value)) checkList(value, schema, report, path);
  else if (isRecord(value)) checkFields(value, schema, report, path);
}

function fits(value: unknown, schema: Schema): boolean {
  if (schema.type === 'array') return Array.isArray(value);
  return schema.type === 'object' ? isRecord(value) : false;
}

function checkFields(value: Readonly<Record<string, unknown>>, schema: Schema, report: Report, path: Path): void {
  for (const name of schema.required ?? []) {
    if (value[name] === undefined) report([...path, name], 'is required');
  }
  for (const [name, field] of Object.entries(value)) {
    const below = fieldSchema(schema, name);
    if (below !== undefined && field !== undefined) checkStructure(field, below, report, [...path, name]);
  }
}

/** The schema of the field `name`, if `schema` says anything about it. */
export function fieldSchema(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function checkList(value: readonly unknown[], schema: Schema, report: Report, path: Path): void {
  const { items } = schema;
  if (items !== undefined) value.forEach((each, index) => checkStructure(each, items, report, [...path, index]));
  checkUnique(value, schema, report, path);
}

/** A list that is a set has each value once; a list that is a map has each combination of its keys once. */
function checkUnique(value: readonly unknown[], schema: Schema, report: Report, path: Path): void {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const first = new Map<string, number>();
  for (const [index, each] of value.entries()) {
    const identity = type === 'set' ? JSON.stringify(each) : keys.map((key) => keyText(each, key)).join(', ');
    const earlier = first.get(identity);
    if (earlier === undefined) first.set(identity, index);
    else report([...path, index], `must not repeat ${identity}, which item ${earlier} has already`);
  }
}

function keyText(item: unknown, key: string): string {
  return `${key} ${isRecord(item) ? JSON.stringify(item[key]) : ''}`;
}

function checkAlternatives(value: unknown, schema: Schema, report: Report, path: Path): void {
  for (const each of schema.allOf ?? []) checkStructure(value, each, report, path);
  if (schema.not !== undefined && issuesOf(value, schema.not).length === 0) report(path, 'must not be of this form');
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  if (choices.length === 0) return;
  const outcomes = choices.map((choice) => issuesOf(value, choice));
  const fitting = outcomes.filter((issues) => issues.length === 0).length;
  if (fitting === 0) reportNearest(outcomes, report, path);
  else if (schema.oneOf !== undefined && fitting > 1) report(path, 'must be of one form only, and fits several');
}

interface Found {
  readonly path: Path;
  readonly message: string;
}

function issuesOf(value: unknown, schema: Schema): readonly Found[] {
  const found: Found[] = [];
  checkStructure(value, schema, (path, message) => found.push({ path, message }));
  return found;
}

/** No alternative fits: the one with the fewest faults is what was meant; equals at one place are told as a choice. */
function reportNearest(outcomes: readonly (readonly Found[])[], report: Report, path: Path): void {
  const nearest = outcomes.toSorted((a, b) => a.length - b.length)[0]?.[0];
  if (nearest === undefined) return;
  const place = JSON.stringify(nearest.path);
  const same = outcomes.flatMap((issues) => issues.filter((issue) => JSON.stringify(issue.path) === place));
  const messages = [...new Set(same.map((issue) => issue.message))];
  report([...path, ...nearest.path], messages.join(', or '));
}
