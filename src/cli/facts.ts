import { keyOf } from '../facts/object.ts';
import { readFiles, type FileFact, type FileMessage } from '../facts/files/read.ts';
import type { ControllerSettings } from '../facts/settings.ts';
import { createFactStore, type FactStore } from '../facts/store.ts';

/** Kinds that few keep with their manifests: while the input has none of a kind, its objects are unknown, not absent. Decisions, "Offline, unknown is not absent". */
const seldomInFiles = ['Secret', 'EndpointSlice', 'GatewayClass', 'GatewayClassConfig', 'Service', 'Namespace'];

/** What the files hold, ready for the rules. */
export interface Input {
  readonly store: FactStore;
  /** The facts by `<Kind>/<key>`, for the places of findings. */
  readonly facts: ReadonlyMap<string, FileFact>;
  readonly messages: readonly FileMessage[];
  /** Whether any message is an error: then nothing may be made of the input. */
  readonly isBad: boolean;
}

/** Reads manifests from paths, patterns or `-`; `settings` join them as a fact. */
export async function readInput(paths: readonly string[], settings: ControllerSettings): Promise<Input> {
  const { facts, messages } = await readFiles(paths);
  const store = createFactStore();
  store.set(settings);
  for (const { object } of facts) store.set(object);
  rememberUnknown(store);
  return {
    store,
    facts: new Map(facts.map((fact) => [factName(fact), fact])),
    messages,
    isBad: messages.some(({ severity }) => severity === 'error'),
  };
}

/** Says of each kind that is seldom kept in files whether the input has any. */
export function rememberUnknown(store: FactStore): void {
  for (const kind of seldomInFiles) {
    const isThere = [...store.keys(kind)].length > 0;
    if (store.knowledge(kind).complete === isThere) continue;
    store.know(kind, isThere ? { complete: true } : { complete: false, why: `the files hold no ${kind}` });
  }
}

/** `<Kind>/<namespace>/<name>`. */
export function factName({ object }: Pick<FileFact, 'object'>): string {
  return `${object.kind}/${keyOf(object)}`;
}

/** Brings a store from one reading of the files to the next: only what differs is told to the rules. */
export function updateInput(store: FactStore, before: Input['facts'], after: Input['facts']): void {
  for (const [name, { object }] of before) if (!after.has(name)) store.delete(object.kind, keyOf(object));
  for (const [name, { object }] of after) {
    const old = before.get(name)?.object;
    if (old === undefined || JSON.stringify(old) !== JSON.stringify(object)) store.set(object);
  }
  rememberUnknown(store);
}
