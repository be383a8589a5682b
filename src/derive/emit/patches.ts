/**
 * JSON patches (RFC 6902) of the user on a Deployment. Each operation is checked here first and then carried out by the package rfc6902, which
 * by itself takes `/args/length` or `/spec/toString` for a place, `01` for an index, and a `test` without value for one that holds.
 */
import { applyPatch, Pointer } from 'rfc6902';
import type { Operation } from 'rfc6902';
import type { KubeObject } from '../../facts/object.ts';
import type { JsonPatchOperation } from '../plane.ts';

export type Patched =
  | { readonly object: KubeObject; readonly problem?: never }
  | { readonly problem: string; readonly object?: never };

/** What an operation must leave alone: gives the reason if `patched` is no longer what `original` is to us. */
export type Contract = (patched: KubeObject) => string | undefined;

/**
 * The object with every operation carried out in order; the given one is not changed. Or one sentence that names the first operation that
 * cannot be carried out, its cause and the fix. A field set to null is taken as left out, as the API server takes it.
 */
export function patched(original: KubeObject, operations: readonly JsonPatchOperation[], contract: Contract): Patched {
  if (operations.length === 0) return { object: original };
  const object = structuredClone(original);
  for (const [index, operation] of operations.entries()) {
    const reason = carryOut(object, operation) ?? contract(object);
    if (reason === undefined) continue;
    const which = `spec.tunnel.patches[${index}] (${operation.op} ${operation.path})`;
    return { problem: `${which} cannot be applied to ${original.kind} ${original.metadata.name}: ${reason}.` };
  }
  return { object: withoutNulls(object) as KubeObject };
}

/** What each operation needs beside its path, and whether that path names a place for a new value. */
const rules: ReadonlyMap<string, { readonly needs?: 'value' | 'from'; readonly isNew: boolean }> = new Map([
  ['add', { needs: 'value', isNew: true }],
  ['replace', { needs: 'value', isNew: false }],
  ['test', { needs: 'value', isNew: false }],
  ['remove', { isNew: false }],
  ['move', { needs: 'from', isNew: true }],
  ['copy', { needs: 'from', isNew: true }],
]);

/** The reason why it cannot be done, with the fix. */
function carryOut(document: object, operation: JsonPatchOperation): string | undefined {
  const { op, path, from } = operation;
  const rule = rules.get(op);
  if (rule === undefined) return `there is no such operation; use one of ${[...rules.keys()].join(', ')}`;
  const { needs, isNew } = rule;
  if (needs !== undefined && operation[needs] === undefined) return `${op} needs ${needs}; add the field ${needs}`;
  if (needs === 'from' && from !== undefined) {
    const why = misplaced(document, from, false);
    if (why !== undefined) return why;
    if (op === 'move') return moved(document, from, path);
  }
  return misplaced(document, path, isNew) ?? apply(document, operation as Operation);
}

/** A remove and an add, so that the target is looked up when the source is gone (RFC 6902 §4.4). */
function moved(document: object, from: string, path: string): string | undefined {
  if (path.startsWith(`${from}/`)) return 'nothing can be moved into itself; correct path or from';
  const value = Pointer.fromJSON(from).get(document) as unknown;
  apply(document, { op: 'remove', path: from });
  return misplaced(document, path, true) ?? apply(document, { op: 'add', path, value });
}

function apply(document: object, operation: Operation): string | undefined {
  const [error] = applyPatch(document, [operation]);
  if (!error) return undefined;
  if (operation.op !== 'test') return `${error.message}; correct the path`;
  const found = shown(Pointer.fromJSON(operation.path).get(document));
  return `the value there is ${found}, not ${shown(operation.value)}; correct the value or remove the test`;
}

const mostShown = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}…`;
}

/** Names that reach into the prototypes of JavaScript; no field of Kubernetes is called so. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Why the pointer names no place, or none that a new value can have. */
function misplaced(document: object, pointer: string, isNew: boolean): string | undefined {
  if (!/^(\/([^/~]|~[01])*)+$/.test(pointer)) {
    return pointer === ''
      ? 'the Deployment as a whole cannot be patched; name a field'
      : `${pointer} is no JSON pointer; write it as in /spec/replicas (RFC 6901)`;
  }
  const tokens = Pointer.fromJSON(pointer).tokens.slice(1);
  let parent: unknown = document;
  for (const [depth, token] of tokens.entries()) {
    const isLast = depth === tokens.length - 1;
    const here = `/${pointer
      .split('/')
      .slice(1, depth + 2)
      .join('/')}`;
    if (forbidden.has(token)) return `${here} cannot be a field; correct the path`;
    if (isLast && isNew) return cannotHold(parent, token, here);
    if (!holds(parent, token)) return `there is no ${here}; correct the path, or add what is missing first`;
    parent = (parent as Record<string, unknown>)[token];
  }
  return undefined;
}

const index = /^(0|[1-9]\d*)$/;

function holds(parent: unknown, token: string): boolean {
  if (Array.isArray(parent)) return index.test(token) && Number(token) < parent.length;
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, token);
}

function cannotHold(parent: unknown, token: string, here: string): string | undefined {
  if (Array.isArray(parent)) {
    if (token === '-' || (index.test(token) && Number(token) <= parent.length)) return undefined;
    return `${here} is no place of that list of ${parent.length}; use an index or - for its end`;
  }
  if (typeof parent === 'object' && parent !== null) return undefined;
  return `${here} cannot be, as the value around it has no fields; correct the path`;
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const kept = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutNulls(field)]));
}
