import { nearestName } from './nearest.ts';
import { pathText, type Path } from '../fieldpath.ts';
import { copyOf, isRecord, type Report, type Schema } from './schema.ts';
import { fieldSchema } from './structure.ts';

/** A field of an object that its schema does not know. */
interface Unknown {
  readonly path: Path;
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Reports every field that `schema` does not know, as strict field validation does, with the name that was likely meant or
 * the place where a field of that name belongs.
 */
export function checkUnknownFields(value: unknown, schema: Schema, report: Report): void {
  for (const found of unknownFields(value, schema, [])) {
    report([...found.path, found.name], `is an unknown field${adviceFor(found, schema)}`);
  }
}

/** `value` without the fields that `schema` does not know, each of them reported: what a cluster stores. */
export function prune(value: unknown, schema: Schema, report: Report): unknown {
  const copy = copyOf(value);
  for (const { path, name } of unknownFields(value, schema, [])) {
    report([...path, name], 'is dropped');
    const parent = path.reduce<unknown>((node, part) => (node as Record<string | number, unknown>)[part], copy);
    if (isRecord(parent)) Reflect.deleteProperty(parent, name);
  }
  return copy;
}

function* unknownFields(value: unknown, schema: Schema, path: Path): Generator<Unknown> {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, each] of value.entries()) yield* unknownFields(each, items, [...path, index]);
    return;
  }
  if (!isRecord(value) || (schema.type ?? 'object') !== 'object') return;
  for (const [name, field] of Object.entries(value)) {
    const below = fieldSchema(schema, name);
    if (below !== undefined) yield* unknownFields(field, below, [...path, name]);
    else if (!isOpen(schema)) yield { path, name, schema };
  }
}

function isOpen(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
}

function adviceFor({ path, name, schema }: Unknown, root: Schema): string {
  const similar = nearestName(name, Object.keys(schema.properties ?? {}));
  if (similar !== undefined) return `; did you mean ${similar}?`;
  const home = homeOf(name, root);
  if (home !== undefined) return home === '' ? '; it belongs at the top of the object' : `; it belongs in ${home}`;
  const known = Object.keys(schema.properties ?? {});
  return known.length === 0
    ? ''
    : `; ${path.length === 0 ? 'the object' : pathText(path)} has ${known.toSorted().join(', ')}`;
}

/** Where a field of this name belongs, nearest to the root: a wrong indentation is the usual mistake. Status is nobody's to write. */
function homeOf(name: string, root: Schema): string | undefined {
  const queue: (readonly [schema: Schema, place: string])[] = [[root, '']];
  for (const [schema, place] of queue) {
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, name)) return place;
    for (const [field, below] of Object.entries(schema.properties ?? {})) {
      if (place !== '' || field !== 'status') queue.push([below, place === '' ? field : `${place}.${field}`]);
    }
    if (schema.items !== undefined) queue.push([schema.items, `${place}[]`]);
  }
  return undefined;
}
