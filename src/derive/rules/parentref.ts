import { groups } from '../../api/names.ts';
import { view } from '../engine/declare.ts';
import type { ParentRef } from '../results.ts';
import { listenerSets } from './collections.ts';
import { presentOf, splitKey } from './members.ts';

/** The key of the Gateway a parentRef names; nothing where it names another kind. Spec: ParentReference, defaults. */
export function gatewayOf(ref: ParentRef, namespace: string): string | undefined {
  return isOfKind(ref, 'Gateway') ? `${ref.namespace ?? namespace}/${ref.name}` : undefined;
}

/** The key of the ListenerSet a parentRef names. */
export function listenerSetOf(ref: ParentRef, namespace: string): string | undefined {
  return isOfKind(ref, 'ListenerSet') ? `${ref.namespace ?? namespace}/${ref.name}` : undefined;
}

function isOfKind({ group, kind }: ParentRef, wanted: string): boolean {
  return (group ?? groups.gateway) === groups.gateway && (kind ?? 'Gateway') === wanted;
}

/** The key of the Gateway a ListenerSet names as its parent. */
export const parentOfListenerSet = view('parentOfListenerSet', (key, read): string | undefined => {
  const ref = presentOf(listenerSets, key, read)?.spec.parentRef;
  return ref === undefined ? undefined : gatewayOf(ref, splitKey(key).namespace);
});
