import { existsSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { readInput, storeOf, type Input } from '../../src/cli/facts.ts';
import { createDerivation, type Derivation } from '../../src/derive/derive.ts';
import { keyOf, type KubeObject } from '../../src/facts/object.ts';
import { controllerSettings, settingsKey, type ControllerSettings } from '../../src/facts/settings.ts';
import type { FactStore } from '../../src/facts/store.ts';

const options = { filename: [], channel: 'auto' } as const;

/** What a case starts from. */
export interface Given {
  readonly input: Input;
  /** What no file of a user holds: settings of the operator, Deployments of ours, what Cloudflare holds. */
  readonly observed: readonly KubeObject[];
}

/** Reads `CASE.in.yaml`, and `CASE.observed.yaml` where there is one. */
export async function readCase(path: string): Promise<Given> {
  const beside = path.replace('.in.yaml', '.observed.yaml');
  const documents = existsSync(beside) ? parseAllDocuments(readFileSync(beside, 'utf8')) : [];
  return {
    input: await readInput({ ...options, filename: [path] }),
    observed: documents.map((document) => document.toJS() as KubeObject),
  };
}

/** All facts at once. */
export function atOnce(given: Given): Derivation {
  return settled(filled(given));
}

/** The same facts in another order. */
export function reordered({ input, observed }: Given, order: (names: string[]) => string[]): Derivation {
  const names = order([...input.facts.keys()]);
  const facts = new Map(names.flatMap((name) => [...input.facts].filter(([each]) => each === name)));
  return atOnce({ input: { ...input, facts }, observed });
}

/**
 * From nothing to all facts, one by one, with everything brought up to date after each: what was remembered on the way must not
 * show. What is unknown stays so from the start, as it would offline.
 */
export function oneByOne(given: Given): Derivation {
  const store = filled(given);
  const objects = [...given.input.facts.values()]
    .map(({ object }) => object)
    .concat(given.observed.filter(isNoSetting));
  for (const object of objects) store.delete(object.kind, keyOf(object));
  const derivation = settled(store);
  for (const object of objects) {
    store.set(object);
    derivation.settle();
  }
  return derivation;
}

function settled(store: FactStore): Derivation {
  const derivation = createDerivation(store);
  derivation.settle();
  return derivation;
}

function filled({ input, observed }: Given): FactStore {
  const store = storeOf(input, options);
  for (const object of observed) store.set(isNoSetting(object) ? object : withDefaults(store, object));
  return store;
}

function isNoSetting({ kind }: KubeObject): boolean {
  return kind !== 'ControllerSettings';
}

/** Of the settings a case writes only those it is about. */
function withDefaults(store: FactStore, object: KubeObject): ControllerSettings {
  const { spec } = store.get('ControllerSettings', settingsKey) as ControllerSettings;
  return controllerSettings({ ...spec, ...(object as ControllerSettings).spec });
}
