import type { Json, JsonObject } from './crds.ts';

const RULES = 'x-kubernetes-validations';

/**
 * One schema that says what both channels say. It is the Experimental one, and where the Standard one differs:
 * - a property that only the Experimental channel has carries `x-channel: experimental`,
 * - a rule that only one channel has carries `channel`,
 * - a keyword with another value there is listed under `x-standard` (null: the keyword is absent there).
 * src/facts/schema/channels.ts takes the two apart again.
 */
export function mergeChannels(experimental: JsonObject, standard: JsonObject): JsonObject {
  const merged: Record<string, Json> = {};
  const differing: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(experimental), ...Object.keys(standard)])) {
    const ours = experimental[key];
    const theirs = standard[key];
    if (ours !== undefined) merged[key] = ours;
    if (equal(ours, theirs)) continue;
    if (key === RULES) merged[key] = mergeRules(ours, theirs);
    else if (key === 'properties') merged[key] = mergeProperties(object(ours), object(theirs));
    else if (isObject(ours) && isObject(theirs)) merged[key] = mergeChannels(ours, theirs);
    else differing[key] = theirs ?? null;
  }
  return Object.keys(differing).length === 0 ? merged : { ...merged, 'x-standard': differing };
}

function mergeProperties(experimental: JsonObject, standard: JsonObject): JsonObject {
  const missing = Object.keys(standard).filter((name) => experimental[name] === undefined);
  if (missing.length > 0)
    throw new Error(`the Experimental channel lacks fields of the Standard one: ${missing.join(', ')}`);
  const merged = Object.entries(experimental).map(([name, schema]) => {
    const theirs = standard[name];
    return [
      name,
      theirs === undefined
        ? { ...object(schema), 'x-channel': 'experimental' }
        : mergeChannels(object(schema), object(theirs)),
    ];
  });
  return Object.fromEntries(merged) as JsonObject;
}

function mergeRules(experimental: Json | undefined, standard: Json | undefined): readonly Json[] {
  const ours = (experimental ?? []) as readonly JsonObject[];
  const theirs = (standard ?? []) as readonly JsonObject[];
  const only = (rules: readonly JsonObject[], others: readonly JsonObject[], channel: string): readonly JsonObject[] =>
    rules.filter((rule) => !others.some((other) => equal(rule, other))).map((rule) => ({ ...rule, channel }));
  return [
    ...ours.filter((rule) => theirs.some((other) => equal(rule, other))),
    ...only(ours, theirs, 'experimental'),
    ...only(theirs, ours, 'standard'),
  ];
}

function object(value: Json | undefined): JsonObject {
  if (!isObject(value)) throw new Error('a schema is expected to be an object');
  return value;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function equal(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
