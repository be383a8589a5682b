import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Path } from '../fieldpath.ts';
import { setField } from '../schema/schema.ts';
import type { Place } from './position.ts';
import { readPlainScalar } from './scalar.ts';

/** A value of a YAML document, and where it was written. */
export interface Converted {
  readonly value: unknown;
  readonly place: Place;
}

/** What kubectl refuses (`error`) or reads otherwise than it looks (`warning`). */
export interface Remark {
  readonly severity: 'error' | 'warning';
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
  /** Where the thing was written before, if it is there twice. */
  readonly earlier?: number;
}

/** The remark on a field whose name is a list or a mapping, which is what an unquoted template action looks like. */
export const NAME_IS_NO_TEXT = 'has a field whose name is no text';

/** More values than this through aliases make no manifest but an attack on its reader. */
const ALIASED = 20_000;

interface Reading {
  readonly document: Document;
  readonly remarks: Remark[];
  readonly path: (string | number)[];
  /** The anchored nodes that are being read, to notice one that contains itself. */
  readonly open: Set<Node>;
  /** How many more values may come through aliases. */
  budget: number;
}

/** Converts a parsed document to JSON values as kubectl does. What cannot be read becomes null and is remarked upon. */
export function convert(document: Document): Converted & { readonly remarks: readonly Remark[] } {
  const reading: Reading = { document, remarks: [], path: [], open: new Set(), budget: ALIASED };
  return { ...read(document.contents, reading), remarks: reading.remarks };
}

function read(node: unknown, reading: Reading): Converted {
  const offset = offsetOf(node);
  if (reading.open.size > 0 && (reading.budget -= 1) < 0) return { value: null, place: { offset } };
  if (isAlias(node)) return readAlias(node, reading);
  checkTag(node, reading);
  if (isMap(node)) return readMap(node, reading);
  if (isSeq(node)) return readList(node, reading);
  return { value: isScalar(node) ? readScalar(node, reading) : null, place: { offset } };
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function remark(node: unknown, severity: Remark['severity'], message: string, { remarks, path }: Reading): void {
  remarks.push({ severity, offset: offsetOf(node), path: [...path], message });
}

function readAlias(node: Alias, reading: Reading): Converted {
  const offset = offsetOf(node);
  const target = node.resolve(reading.document);
  if (target === undefined || reading.open.has(target)) {
    remark(
      node,
      'error',
      target === undefined ? 'is an alias without an anchor' : 'is an alias to what it is part of',
      reading,
    );
    return { value: null, place: { offset } };
  }
  const within = reading.budget >= 0;
  reading.open.add(target);
  const { value, place } = read(target, reading);
  reading.open.delete(target);
  if (within && reading.budget < 0 && reading.open.size === 0) {
    remark(node, 'error', `is an alias that grows to more than ${ALIASED} values; write out what is meant`, reading);
  }
  return { value, place: at(offset, place) };
}

function at(offset: number, { children }: Place): Place {
  return children === undefined ? { offset } : { offset, children };
}

const tags = new Set(['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`));

function checkTag(node: unknown, reading: Reading): void {
  const tag = (node as Node | null)?.tag;
  if (tag === undefined || tag === '!' || tags.has(tag)) return;
  remark(node, 'error', `has the tag ${tag}, which no manifest may have; remove it`, reading);
}

function readList(node: YAMLSeq, reading: Reading): Converted {
  const children = new Map<number, Place>();
  const value = node.items.map((item, index) => {
    reading.path.push(index);
    const each = read(item, reading);
    reading.path.pop();
    children.set(index, each.place);
    return each.value;
  });
  return { value, place: { offset: offsetOf(node), children } };
}

function readScalar(node: Scalar, reading: Reading): unknown {
  if (node.type !== 'PLAIN' || node.tag !== undefined || node.source === undefined) return node.value;
  const scalar = readPlainScalar(node.source);
  if ('unreadable' in scalar) {
    remark(node, 'error', scalar.unreadable, reading);
    return null;
  }
  if (!same(scalar.value, node.value)) {
    const message = `is read as kubectl reads it: ${shown(scalar.value)}, not ${shown(node.value)}; write what is meant, a text in quotes`;
    remark(node, 'warning', message, reading);
  }
  return scalar.value;
}

/** Two readers may round the last digit of a fraction differently; that is no difference in what is meant. */
function same(one: unknown, other: unknown): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= Math.abs(one) * Number.EPSILON;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return `the text ${JSON.stringify(value)}`;
  return typeof value === 'number' ? `the number ${value}` : String(value);
}

interface Fields {
  readonly value: Record<string, unknown>;
  readonly children: Map<string, Place>;
  /** What comes in by `<<`: it gives way to what is written, and the earlier to the later of a list. */
  readonly merged: Converted[];
}

function readMap(node: YAMLMap, reading: Reading): Converted {
  const fields: Fields = { value: {}, children: new Map(), merged: [] };
  for (const pair of node.items) readPair(pair, fields, reading);
  for (const { value, place } of fields.merged) merge(value, place, fields);
  return { value: fields.value, place: { offset: offsetOf(node), children: fields.children } };
}

function readPair({ key, value }: Pair, fields: Fields, reading: Reading): void {
  const name = readKey(key, reading);
  if (name === undefined) return;
  reading.path.push(name);
  const field = read(value, reading);
  const earlier = fields.children.get(name);
  if (name === '<<' && isScalar(key) && key.type === 'PLAIN') mergeLater(field, fields, reading);
  else if (earlier !== undefined) repeated(key, earlier, reading);
  else add(name, field.value, at(offsetOf(key), field.place), fields);
  reading.path.pop();
}

function repeated(key: unknown, earlier: Place, { remarks, path }: Reading): void {
  remarks.push({
    severity: 'error',
    offset: offsetOf(key),
    path: [...path],
    message: 'is there twice',
    earlier: earlier.offset,
  });
}

function add(name: string, value: unknown, place: Place, { value: target, children }: Fields): void {
  setField(target, name, value);
  children.set(name, place);
}

/** A field's name as kubectl reads it: `on:` is the field "true", `0x10:` the field "16". */
function readKey(key: unknown, reading: Reading): string | undefined {
  const node = isAlias(key) ? key.resolve(reading.document) : key;
  if (!isScalar(node)) {
    remark(key, 'error', NAME_IS_NO_TEXT, reading);
    return undefined;
  }
  if (node.type !== 'PLAIN' || node.source === undefined) return String(node.value);
  const scalar = readPlainScalar(node.source);
  if ('unreadable' in scalar || scalar.value === null) {
    remark(
      key,
      'error',
      `has a field whose name ${'unreadable' in scalar ? scalar.unreadable : 'is null'}; put it in quotes`,
      reading,
    );
    return undefined;
  }
  const name = String(scalar.value);
  if (name !== node.source) {
    remark(
      key,
      'warning',
      `has a field ${node.source} that is read as kubectl reads it: ${JSON.stringify(name)}; put the name in quotes`,
      reading,
    );
  }
  return name;
}

function mergeLater(field: Converted, { merged }: Fields, reading: Reading): void {
  const parts = Array.isArray(field.value)
    ? field.value.map((value: unknown, index) => ({ value, place: field.place.children?.get(index) ?? field.place }))
    : [field];
  const maps = parts.filter(({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value));
  if (maps.length < parts.length) {
    const { remarks, path } = reading;
    remarks.push({
      severity: 'error',
      offset: field.place.offset,
      path: [...path],
      message: 'must be a mapping or a list of mappings',
    });
  }
  merged.push(...maps);
}

function merge(value: unknown, place: Place, fields: Fields): void {
  for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
    if (!fields.children.has(name)) add(name, field, place.children?.get(name) ?? place, fields);
  }
}
