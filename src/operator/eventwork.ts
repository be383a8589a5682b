import type { Finding } from '../derive/results.ts';
import type { EventWriter } from '../effects/kube/events.ts';
import { namespacedName } from '../facts/object.ts';
import type { FactStore } from '../facts/store.ts';

/** Tells findings as events of the objects they are about: each once, and again only after it was gone. */
export interface FindingEvents {
  tell(findings: readonly Finding[]): void;
}

export function createFindingEvents(store: FactStore, events: EventWriter): FindingEvents {
  let before = new Map<string, Finding>();
  return {
    tell(findings) {
      const grave = findings.filter(({ severity }) => severity !== 'note');
      const now = new Map(grave.map((finding) => [JSON.stringify(finding), finding]));
      for (const [identity, finding] of now) if (!before.has(identity)) void tellOne(store, events, finding);
      for (const [identity, finding] of before) if (!now.has(identity)) forgetOne(store, events, finding);
      before = now;
    },
  };
}

function objectOf(store: FactStore, { kind, namespace, name }: Finding) {
  return store.get(kind, namespacedName(namespace, name));
}

async function tellOne(store: FactStore, events: EventWriter, finding: Finding): Promise<void> {
  const object = objectOf(store, finding);
  if (object === undefined) return;
  await events.tell({ object, type: 'Warning', reason: finding.code, action: 'Reconcile', note: finding.message });
}

function forgetOne(store: FactStore, events: EventWriter, finding: Finding): void {
  const object = objectOf(store, finding);
  if (object !== undefined) events.forget(object, finding.code);
}
