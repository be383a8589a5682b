import type { KubeObject } from './object.ts';
import { keyOf } from './object.ts';

/** Whether all objects of a kind are known. While they are not, a missing object is unknown, never absent. */
export type Knowledge = { readonly complete: true } | { readonly complete: false; readonly why: string };

/** One change of what is known: an object of `kind`, or (without `key`) how much is known of the kind. */
export interface FactChange {
  readonly kind: string;
  readonly key?: string;
}

/** Everything that is known, by kind and key. Objects are frozen and never changed in place. */
export interface FactStore {
  /** Adds or replaces an object; an identical object is no change. */
  set(object: KubeObject): void;
  delete(kind: string, key: string): void;
  /** Says how much is known of a kind. A kind nobody spoke of is complete. */
  know(kind: string, knowledge: Knowledge): void;
  get(kind: string, key: string): KubeObject | undefined;
  keys(kind: string): Iterable<string>;
  knowledge(kind: string): Knowledge;
  /** Calls `listener` after each change; returns the function that ends it. */
  subscribe(listener: (change: FactChange) => void): () => void;
}

const complete: Knowledge = { complete: true };

export function createFactStore(): FactStore {
  const byKind = new Map<string, Map<string, KubeObject>>();
  const knowledge = new Map<string, Knowledge>();
  const listeners = new Set<(change: FactChange) => void>();
  const tell = (change: FactChange): void => listeners.forEach((listener) => listener(change));

  return {
    set(object) {
      const objects = byKind.get(object.kind) ?? new Map<string, KubeObject>();
      byKind.set(object.kind, objects);
      const key = keyOf(object);
      if (objects.get(key) === object) return;
      objects.set(key, object);
      tell({ kind: object.kind, key });
    },
    delete(kind, key) {
      if (byKind.get(kind)?.delete(key) === true) tell({ kind, key });
    },
    know(kind, now) {
      knowledge.set(kind, now);
      tell({ kind });
    },
    get: (kind, key) => byKind.get(kind)?.get(key),
    keys: (kind) => byKind.get(kind)?.keys() ?? [],
    knowledge: (kind) => knowledge.get(kind) ?? complete,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
