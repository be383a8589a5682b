/**
 * Where an object differs from what we want it to be: a field that does not say what we want, a field that is not held by us, a field
 * that we hold and no longer want. What others added is none of our business: defaults, annotations, containers put in at admission.
 * Which lists are sets of named items is read from `managedFields`, where the API server wrote it down. Source: Kubernetes,
 * "Server-Side Apply", "Field management"; structured-merge-diff, fieldpath serialization.
 */
import equal from 'fast-deep-equal';
import { managedBy } from '../../api/names.ts';
import type { ManagedFieldsEntry } from '../../facts/cluster/fact.ts';
import type { KubeObject } from '../../facts/object.ts';
import { isSameQuantity } from './quantity.ts';

/** Fields as `fieldsV1` writes them: `f:<name>` a field, `k:<json>` an item by its keys, `v:<json>` an item of a set, `.` the whole itself. */
interface FieldSet {
  readonly [element: string]: FieldSet;
}

/**
 * The paths that differ, empty where nothing is to be written. `observed` must be kept with its `managedFields` (see `watched`); where
 * those say that we never applied the object, that is the difference.
 */
export function differences(desired: KubeObject, observed: KubeObject): readonly string[] {
  const owned = ownedFields(observed);
  if (owned === undefined) return ['metadata.managedFields'];
  const paths: string[] = [];
  for (const [name, value] of Object.entries(desired)) {
    if (name === 'apiVersion' || name === 'kind') continue;
    const wanted = name === 'metadata' ? withoutIdentity(value as object) : value;
    walk({ path: name, desired: wanted, observed: observed[name], owned: owned[`f:${name}`] }, paths);
  }
  beyond('', owned, desired, paths);
  return paths;
}

/** What our last apply named. */
function ownedFields({ metadata }: KubeObject): FieldSet | undefined {
  const entries = (metadata['managedFields'] ?? []) as readonly ManagedFieldsEntry[];
  const ours = entries.find(
    ({ manager, operation, subresource = '' }) => manager === managedBy && operation === 'Apply' && subresource === '',
  );
  return ours?.fieldsV1 as FieldSet | undefined;
}

/** Fields of the metadata that nobody manages. */
function withoutIdentity(metadata: object): object {
  const { name: _, namespace: __, uid: ___, ...rest } = metadata as Record<string, unknown>;
  return rest;
}

interface Place {
  readonly path: string;
  readonly desired: unknown;
  readonly observed: unknown;
  readonly owned: FieldSet | undefined;
}

function walk(place: Place, paths: string[]): void {
  const { path, desired, observed, owned } = place;
  if (isEmpty(desired) && isEmpty(observed)) return;
  if (isRecord(desired) && (owned === undefined || hasChildren(owned, 'f:'))) return walkFields(place, paths);
  if (Array.isArray(desired) && owned !== undefined && hasChildren(owned, 'k:')) return walkItems(place, paths);
  if (owned === undefined || !covers(desired, observed, path)) paths.push(path);
}

function walkFields({ path, desired, observed, owned }: Place, paths: string[]): void {
  const fields = desired as Readonly<Record<string, unknown>>;
  // Nothing of it is ours: one difference says it all.
  if (owned === undefined) return void paths.push(path);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const below = isRecord(observed) ? observed[name] : undefined;
    walk({ path: `${path}.${name}`, desired: value, observed: below, owned: owned[`f:${name}`] }, paths);
  }
  beyond(`${path}.`, owned, fields, paths);
}

/** Items by their keys; the order is no difference. */
function walkItems({ path, desired, observed, owned = {} }: Place, paths: string[]): void {
  const wanted = desired as readonly unknown[];
  const there: readonly unknown[] = Array.isArray(observed) ? observed : [];
  const met = new Set<unknown>();
  for (const [element, below] of Object.entries(owned)) {
    if (!element.startsWith('k:')) continue;
    const keys = JSON.parse(element.slice(2)) as Readonly<Record<string, unknown>>;
    const at = `${path}[${Object.values(keys).join('/')}]`;
    const item = wanted.find((each) => hasKeys(each, keys));
    if (item === undefined) paths.push(at);
    else {
      met.add(item);
      walk({ path: at, desired: item, observed: there.find((each) => hasKeys(each, keys)), owned: below }, paths);
    }
  }
  if (wanted.some((item) => !met.has(item))) paths.push(path);
}

/** Fields that we hold and no longer name. */
function beyond(prefix: string, owned: FieldSet, desired: Readonly<Record<string, unknown>>, paths: string[]): void {
  for (const element of Object.keys(owned)) {
    if (element.startsWith('f:') && desired[element.slice(2)] === undefined) paths.push(prefix + element.slice(2));
  }
}

/** Whether a value as a whole says what is wanted; where the API server adds defaults to it, they are no difference. */
function covers(desired: unknown, observed: unknown, path: string): boolean {
  if (isEmpty(desired) && isEmpty(observed)) return true;
  if (Array.isArray(desired)) {
    if (!Array.isArray(observed) || desired.length !== observed.length) return false;
    return desired.every((item, index) => covers(item, observed[index], path));
  }
  if (isRecord(desired)) {
    return (
      isRecord(observed) &&
      Object.entries(desired).every(([name, value]) => covers(value, observed[name], `${path}.${name}`))
    );
  }
  return equal(desired, observed) || (isAmount(path) && isSameQuantity(desired, observed));
}

const amounts = /\.(?:limits|requests|capacity|minAllowed|maxAllowed)\.[^.]+$|\.(?:sizeLimit|divisor)$/;

function isAmount(path: string): boolean {
  return amounts.test(path);
}

/** The API server leaves out what says nothing: false, zero, an empty text, list or map. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function hasKeys(item: unknown, keys: Readonly<Record<string, unknown>>): boolean {
  return isRecord(item) && Object.entries(keys).every(([name, value]) => (item[name] ?? defaultKeys[name]) === value);
}

/** A key of an item may be left to its default. */
const defaultKeys: Readonly<Record<string, unknown>> = { protocol: 'TCP' };

function hasChildren(owned: FieldSet, prefix: string): boolean {
  return Object.keys(owned).some((element) => element.startsWith(prefix));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
