import type { Read } from '../engine/declare.ts';
import type { Collection } from '../engine/declare.ts';

/** The object of a member an index or a rule was given: it is present by what a member is. */
export function memberOf<T>(collection: Collection<T>, key: string, read: Read): T {
  return read(collection, key).when({
    present: (object) => object,
    absent: () => missing(collection.name, key),
    unknown: () => missing(collection.name, key),
  });
}

/** The object if it is present. Only where absent and unknown are told apart elsewhere. */
export function presentOf<T>(collection: Collection<T>, key: string, read: Read): T | undefined {
  return read(collection, key).when<T | undefined>({
    present: (object) => object,
    absent: () => undefined,
    unknown: () => undefined,
  });
}

function missing(kind: string, key: string): never {
  throw new Error(`${kind} ${key} is no member`);
}

/** Namespace and name of a key. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, Math.max(slash, 0)), name: key.slice(slash + 1) };
}
