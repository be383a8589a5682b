import { fieldSchema } from './structure.ts';
import { copyOf, isRecord, setField, type Schema } from './schema.ts';

/**
 * A copy of `value` with what the API server fills in: fields that are absent, or null where null means nothing, get the
 * schema's default; other nulls of that kind are dropped. Values of the wrong shape are kept for the checks to find.
 */
export function withDefaults(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? copyOf(value) : value.map((each: unknown) => withDefaults(each, items));
  }
  return isRecord(value) ? fieldsWithDefaults(value, schema) : value;
}

function fieldsWithDefaults(
  value: Readonly<Record<string, unknown>>,
  schema: Schema,
): Readonly<Record<string, unknown>> {
  const filled: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const below = fieldSchema(schema, name);
    if (isNothing(field, below)) continue;
    setField(filled, name, below === undefined ? copyOf(field) : withDefaults(field, below));
  }
  for (const [name, below] of Object.entries(schema.properties ?? {})) {
    if (below.default === undefined || filled[name] !== undefined) continue;
    filled[name] = withDefaults(copyOf(below.default), below);
  }
  return filled;
}

/** Null stands for "not set", except where a schema allows it or knows nothing of the field. */
function isNothing(field: unknown, schema: Schema | undefined): boolean {
  if (field === undefined) return true;
  return field === null && schema !== undefined && !(schema.nullable ?? false);
}
