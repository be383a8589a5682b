/** Which objects of the cluster are ours to write and delete. */
import { labels as keys, managedBy } from '../../api/names.ts';
import { groupOf, objectText } from '../../facts/cluster/resource.ts';
import type { KubeObject } from '../../facts/object.ts';

/** What the objects of a plane belong to and are known by. */
export interface PlaneScope {
  /** A Gateway, or the GatewayClass of a shared plane: when it goes, they go. */
  readonly owner: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string };
  /** Labels that all of them carry and objects of other planes do not. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The object, owned: the cluster deletes it with its owner. */
export function ownedBy({ owner }: PlaneScope, object: KubeObject): KubeObject {
  const { apiVersion, kind, name, uid } = owner;
  const reference: OwnerReference = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  return { ...object, metadata: { ...object.metadata, ownerReferences: [reference] } };
}

export function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return (metadata['ownerReferences'] ?? []) as readonly OwnerReference[];
}

/** Labelled as ours and owned by this very owner: what may be deleted when it is no longer wanted. */
export function isPrunable(scope: PlaneScope, object: KubeObject): boolean {
  return isLabelled(scope, object) && ownersOf(object).some(({ uid }) => uid === scope.owner.uid);
}

/**
 * Why an object that stands where one of ours should be is not ours to write; undefined if it is. Ours is what this owner owns, and
 * what carries our labels and has no other controller: one handed over by an earlier Gateway of the name, or orphaned by hand.
 */
export function refusal(scope: PlaneScope, object: KubeObject): string | undefined {
  const owners = ownersOf(object);
  if (owners.some(({ uid }) => uid === scope.owner.uid)) return undefined;
  const controller = owners.find((owner) => owner.controller === true);
  const isLeft = controller !== undefined && isSameName(controller, scope.owner);
  const text = objectText(object, object.metadata);
  const free = `delete or rename it, or rename ${scope.owner.kind} ${scope.owner.name}`;
  if (controller !== undefined && !isLeft)
    return `${text} exists and belongs to ${controller.kind} ${controller.name}; it is left as it is: ${free}`;
  if (!isLabelled(scope, object))
    return `${text} exists and was not made by this controller (it has no label ${keys.managedBy}=${managedBy}); it is left as it is: ${free}`;
  return undefined;
}

function isLabelled({ labels }: PlaneScope, { metadata }: KubeObject): boolean {
  const wanted = { ...labels, [keys.managedBy]: managedBy };
  return Object.entries(wanted).every(([key, value]) => metadata.labels?.[key] === value);
}

/** An owner of the same name with another uid is gone: a name is used once at a time. */
function isSameName(one: OwnerReference, other: PlaneScope['owner']): boolean {
  return one.kind === other.kind && one.name === other.name && groupOf(one.apiVersion) === groupOf(other.apiVersion);
}
