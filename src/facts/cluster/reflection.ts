/** The objects of one kind in the store, brought from what a list or an event says. */
import { keyOf, type KubeObject } from '../object.ts';
import type { FactStore, Knowledge } from '../store.ts';
import { factOf } from './fact.ts';
import { isLater } from './revision.ts';
import type { WatchedKind } from './watchedkind.ts';

export interface Reflection {
  /** All objects at a moment: those that vanished are deleted, those that are as they were are not written. */
  replace(objects: readonly KubeObject[], resourceVersion: string, apiVersion: string): void;
  /** One object as it is now: of a watch event, or of the answer to a write of ours. An older state than the one held is passed over. */
  observe(object: KubeObject, apiVersion: string): void;
  remove(object: KubeObject): void;
  /** The kind is not served: it has no objects. */
  clear(): void;
  /** Says how much is known of the kind, if that is news. */
  know(knowledge: Knowledge): void;
  hasObjects(): boolean;
}

/** Keeps the objects of `kind` in `store`. */
export function createReflection(store: FactStore, kind: WatchedKind): Reflection {
  let latest = '';
  const held = (key: string): KubeObject | undefined => store.get(kind.kind, key);
  const put = (object: KubeObject, apiVersion: string): void => {
    const before = held(keyOf(object));
    // Deleted and made again within a gap: two objects that only share a name (field cases, part 3).
    if (before !== undefined && before.metadata.uid !== object.metadata.uid) store.delete(kind.kind, keyOf(object));
    store.set(factOf(kind, apiVersion, object));
  };
  return {
    replace(objects, resourceVersion, apiVersion) {
      // A restored etcd goes back in time; then what is held is newer than the truth, and the truth counts.
      const isRewound = latest !== '' && isLater(latest, resourceVersion);
      const after = new Set<string>();
      for (const object of objects) {
        after.add(keyOf(object));
        if (isRewound || isNews(held(keyOf(object)), object)) put(object, apiVersion);
      }
      for (const key of store.keys(kind.kind)) {
        const version = held(key)?.metadata.resourceVersion ?? '';
        // Written by us after the moment of the list: the watch from that moment will tell of it.
        if (!after.has(key) && (isRewound || !isLater(version, resourceVersion))) store.delete(kind.kind, key);
      }
      latest = resourceVersion;
    },
    observe(object, apiVersion) {
      if (isNews(held(keyOf(object)), object)) put(object, apiVersion);
      latest = later(latest, object);
    },
    remove(object) {
      const before = held(keyOf(object));
      latest = later(latest, object);
      if (before === undefined || (before.metadata.uid !== object.metadata.uid && isNews(object, before))) return;
      store.delete(kind.kind, keyOf(object));
    },
    clear() {
      for (const key of store.keys(kind.kind)) store.delete(kind.kind, key);
      latest = '';
    },
    know(knowledge) {
      const before = store.knowledge(kind.kind);
      const isSame = before.complete ? knowledge.complete : !knowledge.complete && before.why === knowledge.why;
      if (!isSame) store.know(kind.kind, knowledge);
    },
    hasObjects: () => !store.keys(kind.kind)[Symbol.iterator]().next().done,
  };
}

/** Whether `now` is a later state than `before`, or another object of the same name made later. */
function isNews(before: KubeObject | undefined, now: KubeObject): boolean {
  if (before === undefined) return true;
  return isLater(now.metadata.resourceVersion ?? '', before.metadata.resourceVersion ?? '');
}

function later(latest: string, { metadata: { resourceVersion = '' } }: KubeObject): string {
  return isLater(resourceVersion, latest) ? resourceVersion : latest;
}
