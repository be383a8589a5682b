import { CelScalar, celEnv, celFunc, isCelError, parse, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { isIP } from 'node:net';
import { compilePattern } from './patterns.ts';
import { isRecord, type Schema } from './schema.ts';

/**
 * What a rule says of a value: whether it holds, or that it is beyond this evaluator, and why. A rule that fails over a value,
 * such as by reading a field that is not set, does not hold: the API server refuses the object then, too.
 */
export type Verdict = { readonly holds: boolean } | { readonly failure: string };

type Plan = (bindings: Record<string, unknown>) => unknown;

/** What the API server's CEL has beyond the standard and the rules of the Gateway API use. */
const kubernetes = [celFunc('isIP', [CelScalar.STRING], CelScalar.BOOL, (text) => isIP(text) !== 0)];

const environment = celEnv({ funcs: [...strings, ...kubernetes], re2: { compile: compilePattern } });

const plans = new Map<string, Plan | string>();

/** How the evaluator says that it lacks something, rather than that the value does. */
const beyond = /^(?:unbound function|unresolved attribute|found no matching overload|<input>)/;

/** Evaluates a rule with `self` as {@link celValue} made it. Nothing is thrown: a rule that cannot be evaluated says why. */
export function evaluate(expression: string, self: unknown): Verdict {
  const result = run(expression, self);
  if ('failure' in result) return beyond.test(result.failure) ? result : { holds: false };
  return typeof result.value === 'boolean' ? { holds: result.value } : { failure: 'its result is no boolean' };
}

/** Evaluates an expression that makes a text, such as a messageExpression; undefined if it does not. */
export function evaluateText(expression: string, self: unknown): string | undefined {
  const result = run(expression, self);
  return 'value' in result && typeof result.value === 'string' ? result.value : undefined;
}

function run(expression: string, self: unknown): { readonly value: unknown } | { readonly failure: string } {
  const planned = planOf(expression);
  if (typeof planned === 'string') return { failure: planned };
  const value = planned({ self });
  return isCelError(value) ? { failure: value.message } : { value };
}

function planOf(expression: string): Plan | string {
  let planned = plans.get(expression);
  if (planned === undefined) {
    try {
      planned = plan(environment, parse(expression)) as Plan;
    } catch (error) {
      planned = `<input> ${error instanceof Error ? error.message : String(error)}`;
    }
    plans.set(expression, planned);
  }
  return planned;
}

/**
 * `value` as CEL sees it: objects as maps, integers as BigInt (a plain number is a double), and the fields that the schema
 * names under names that CEL can spell, as the API server does it.
 */
export function celValue(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => celValue(each, schema?.items));
  if (!isRecord(value)) return typeof value === 'number' && isInteger(value, schema) ? BigInt(value) : value;
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const property = schema?.properties?.[name];
    const additional = typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    fields.set(property === undefined ? name : celName(name), celValue(field, property ?? additional));
  }
  return fields;
}

function isInteger(value: number, schema: Schema | undefined): boolean {
  return Number.isInteger(value) && (schema?.type === 'integer' || schema?.['x-kubernetes-int-or-string'] === true);
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const spelled: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name under which a rule reaches a field: `namespace` is spelled `__namespace__`, `a-b` is `a__dash__b`. */
export function celName(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (found) => spelled[found] ?? found);
}
