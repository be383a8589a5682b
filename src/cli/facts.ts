import { isDeepStrictEqual } from 'node:util';
import { readFiles, type FileFact, type FileMessage } from '../facts/files/read.ts';
import { keyOf } from '../facts/object.ts';
import { lookUpKind } from '../facts/schema/kinds.ts';
import { createFactStore, type FactStore } from '../facts/store.ts';
import { settingsOf, type RuleOptions } from './options.ts';

/** Kinds that few keep with their manifests: while the input has none of a kind, its objects are unknown, not absent. Decisions, "Offline, unknown is not absent". */
const seldomInFiles = ['Secret', 'EndpointSlice', 'GatewayClass', 'GatewayClassConfig', 'Service', 'Namespace'];

/** Facts by `<Kind>/<key>`. */
export type NamedFacts = ReadonlyMap<string, FileFact>;

/** What the files hold. */
export interface Input {
  readonly facts: NamedFacts;
  readonly messages: readonly FileMessage[];
  /** Whether any message is an error: then nothing may be made of the input. */
  readonly isBad: boolean;
}

/** How many objects came, went or differ. */
export interface FactChanges {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Reads manifests from the files, directories, patterns or `-` that `-f` names. */
export async function readInput(options: RuleOptions): Promise<Input> {
  const { facts, messages } = await readFiles(options.filename, undefined, { channel: options.channel });
  // A Gateway or Service of another API group is another kind, which no rule reads.
  const read = facts.filter(({ object }) => lookUpKind(object.apiVersion, object.kind).is === 'known');
  return {
    facts: new Map(read.map((fact) => [`${fact.object.kind}/${keyOf(fact.object)}`, fact])),
    messages,
    isBad: messages.some(({ severity }) => severity === 'error'),
  };
}

/** A store with the settings and the facts of the files. */
export function storeOf({ facts }: Input, options: RuleOptions): FactStore {
  const store = createFactStore();
  store.set(settingsOf(options));
  updateStore(store, new Map(), facts);
  return store;
}

/** Brings a store from one reading of the files to the next: only what differs is told to the rules. */
export function updateStore(store: FactStore, before: NamedFacts, after: NamedFacts): FactChanges {
  const removed = [...before].filter(([name]) => !after.has(name)).map(([, { object }]) => object);
  for (const object of removed) store.delete(object.kind, keyOf(object));
  const added = [...after].filter(([name]) => !before.has(name)).map(([, { object }]) => object);
  const changed = [...after]
    .filter(([name, { object }]) => before.has(name) && !isDeepStrictEqual(before.get(name)?.object, object))
    .map(([, { object }]) => object);
  for (const object of [...added, ...changed]) store.set(object);
  for (const kind of seldomInFiles) rememberUnknown(store, kind);
  return { added: added.length, changed: changed.length, removed: removed.length };
}

/** Says of a kind whether the input has any of it. */
function rememberUnknown(store: FactStore, kind: string): void {
  const isThere = [...store.keys(kind)].length > 0;
  if (store.knowledge(kind).complete === isThere) return;
  store.know(kind, isThere ? { complete: true } : { complete: false, why: `the files hold no ${kind}` });
}
