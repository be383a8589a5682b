import equal from 'fast-deep-equal';
import { keyOf, type KubeObject } from '../facts/object.ts';

/** One write that brings the objects of a plane from what they were to what they should be. */
export type ObjectStep =
  | { readonly action: 'create' | 'update'; readonly object: KubeObject }
  | { readonly action: 'delete'; readonly object: KubeObject };

/**
 * What differs between two sets of objects of one plane, in the order of kinds and names, deletions last. An object that the rules
 * gave again unchanged is the same value and costs one comparison. Source: anchors, "ChangeSet".
 */
export function changeSet(before: readonly KubeObject[], after: readonly KubeObject[]): readonly ObjectStep[] {
  const old = new Map(before.map((object) => [identity(object), object]));
  const steps: ObjectStep[] = [];
  for (const object of after) {
    const was = old.get(identity(object));
    old.delete(identity(object));
    if (was === undefined) steps.push({ action: 'create', object });
    else if (was !== object && !equal(was, object)) steps.push({ action: 'update', object });
  }
  return [...steps, ...[...old.values()].map((object): ObjectStep => ({ action: 'delete', object }))];
}

/** One line for one step: `update ConfigMap shop/gateway-web`. */
export function stepText({ action, object }: ObjectStep): string {
  return `${action} ${identity(object)}`;
}

function identity(object: KubeObject): string {
  return `${object.kind} ${keyOf(object)}`;
}
