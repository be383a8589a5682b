import type { Reading } from '../../facts/reading.ts';

/** The objects of one kind, as facts. `read(gateways, 'shop/web')` gives a three-valued reading. */
export interface Collection<T> {
  readonly type: 'collection';
  /** The kind, unique among those we read. */
  readonly name: string;
  /** Only in the type: what an object of the kind looks like. */
  readonly object?: T;
}

/** A memoised pure function of a key. `read(listenerVerdict, id)` gives its value. */
export interface View<T> {
  readonly type: 'view';
  readonly name: string;
  readonly derive: (key: string, read: Read) => T;
}

/** Members of `source` filed under derived keys. `read(routesByParent, 'shop/web')` gives the sorted member keys. */
export interface Index {
  readonly type: 'index';
  readonly name: string;
  /** The members: the keys of a collection, or the keys of another index that have any member. */
  readonly source: Collection<unknown> | Index;
  readonly by: View<readonly string[]>;
}

/** For each member of `each`: what follows, as a value. The outputs of all rules are what the engine is asked for. */
export interface Rule<T> {
  readonly type: 'rule';
  readonly name: string;
  readonly each: Collection<unknown> | Index;
  readonly emit: View<T>;
}

/** The only way of a rule to anything outside it; every read is recorded, so that nobody writes watch mappings. */
export interface Read {
  <T>(collection: Collection<T>, key: string): Reading<T>;
  <T>(view: View<T>, key: string): T;
  (index: Index, key: string): readonly string[];
  /** Present when every object of the kind is known, unknown otherwise: for rules that conclude from a list being empty. */
  all(collection: Collection<unknown>): Reading<true>;
}

export function collection<T>(kind: string): Collection<T> {
  return { type: 'collection', name: kind };
}

export function view<T>(name: string, derive: (key: string, read: Read) => T): View<T> {
  return { type: 'view', name, derive };
}

/** `by` may read views and the indexes that stand before this one in the reading order. */
export function index(
  name: string,
  source: Collection<unknown> | Index,
  by: (key: string, read: Read) => readonly string[],
): Index {
  return { type: 'index', name, source, by: view(`${name}.by`, by) };
}

export function rule<T>(
  name: string,
  { each, emit }: { readonly each: Collection<unknown> | Index; readonly emit: (key: string, read: Read) => T },
): Rule<T> {
  return { type: 'rule', name, each, emit: view(name, emit) };
}
