import { celName, celValue, evaluate, evaluateText } from './cel.ts';
import { pathText, type Path } from '../fieldpath.ts';
import { isRecord, type Report, type Rule, type Schema } from './schema.ts';
import { fieldSchema } from './structure.ts';

/** What the rules of an object are checked with. */
export interface RuleCheck {
  readonly report: Report;
  /** Whether something at or below a path is broken already: a rule there would only repeat it or trip over it. */
  readonly broken: (path: Path) => boolean;
  /** Told of every rule that could not be evaluated, with the reason. */
  readonly skipped: (message: string) => void;
}

/**
 * Reports every CEL rule of `schema` that does not hold in `value`. Rules that compare with an earlier state of the object
 * say nothing about an object in a file and are passed over, as the API server does when it creates one.
 */
export function checkRules(value: unknown, schema: Schema, check: RuleCheck): void {
  walk({ value, schema, cel: celValue(value, schema), path: [] }, check);
}

interface Node {
  readonly value: unknown;
  readonly schema: Schema;
  /** The same value as CEL sees it. */
  readonly cel: unknown;
  readonly path: Path;
}

function walk(node: Node, check: RuleCheck): void {
  const { value, schema, cel, path } = node;
  for (const rule of schema['x-kubernetes-validations'] ?? []) checkRule(rule, node, check);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || !Array.isArray(cel)) return;
    value.forEach((each: unknown, index) =>
      walk({ value: each, schema: items, cel: cel[index], path: [...path, index] }, check),
    );
  } else if (isRecord(value) && cel instanceof Map) {
    for (const [name, field] of Object.entries(value)) {
      const below = fieldSchema(schema, name);
      const key = schema.properties?.[name] === undefined ? name : celName(name);
      if (below !== undefined) walk({ value: field, schema: below, cel: cel.get(key), path: [...path, name] }, check);
    }
  }
}

function checkRule(rule: Rule, { cel, path }: Node, check: RuleCheck): void {
  if (comparesWithOld(rule) || check.broken(path)) return;
  const verdict = evaluate(rule.rule, cel);
  if ('failure' in verdict) {
    check.skipped(`${pathText(path)}: the rule ${rule.rule} was not checked: ${verdict.failure}`);
  } else if (!verdict.holds) {
    check.report([...path, ...fieldOf(rule)], messageOf(rule, cel), rule);
  }
}

function comparesWithOld({ rule }: Rule): boolean {
  return /\boldSelf\b/.test(rule);
}

function messageOf(rule: Rule, cel: unknown): string {
  const composed = rule.messageExpression === undefined ? undefined : evaluateText(rule.messageExpression, cel);
  return composed ?? rule.message ?? `must satisfy ${rule.rule}`;
}

/** `fieldPath` is `.spec.host` or `['a.b']`; it moves the message to the field below that is wrong. */
function fieldOf({ fieldPath }: Rule): Path {
  const parts = fieldPath?.matchAll(/\.([A-Za-z_$][\w$]*)|\['([^']*)'\]/g) ?? [];
  return [...parts].map((part) => part[1] ?? part[2] ?? '');
}
