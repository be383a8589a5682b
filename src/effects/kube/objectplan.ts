/** From what a plane should consist of and what is there to the writes between them, in order and for reading. */
import { groupOf, objectText } from '../../facts/cluster/resource.ts';
import type { KubeObject } from '../../facts/object.ts';
import { differences } from './difference.ts';
import { isPrunable, ownedBy, ownersOf, refusal, type PlaneScope } from './ownership.ts';

/**
 * One write. `object` is what is applied (create, update), or what was observed (delete, disown); `paths` are the fields that differ.
 * Only paths are told, never values: a plan is printed, and a Secret's values are nobody's to read.
 */
export type ObjectStep =
  | { readonly action: 'create'; readonly object: KubeObject }
  | { readonly action: 'update'; readonly object: KubeObject; readonly paths: readonly string[] }
  | { readonly action: 'delete' | 'disown'; readonly object: KubeObject; readonly why: string };

export interface ObjectPlan {
  /** In the order in which they are to be carried out; empty where nothing differs. */
  readonly steps: readonly ObjectStep[];
  /** Objects that stand in the way and are not ours, a sentence each. */
  readonly refusals: readonly string[];
  /** Objects that are being deleted and will be made again once they are gone, a sentence each. */
  readonly awaited: readonly string[];
}

/** What must be there before what uses it: a pod starts only with its account, its Secret and its ConfigMap. Deletions go backwards. */
const order = [
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'NetworkPolicy',
  'Service',
  'PodDisruptionBudget',
  'Deployment',
  'VerticalPodAutoscaler',
];

export interface PlanOptions {
  /** Observed objects that are not deleted though they are not wanted: what they belong to could not be told in full. None if absent. */
  readonly keep?: (object: KubeObject) => boolean;
}

/**
 * Plans the objects of one plane. `desired` has no ownerReferences, they are added here; `observed` are the objects of the kinds we
 * write in the plane's namespace, other planes' and foreign ones among them, with their `managedFields`.
 */
export function planObjects(
  desired: readonly KubeObject[],
  observed: readonly KubeObject[],
  scope: PlaneScope,
  { keep = () => false }: PlanOptions = {},
): ObjectPlan {
  const there = new Map(observed.map((object) => [identity(object), object]));
  const writes: ObjectStep[] = [];
  const refusals: string[] = [];
  const awaited: string[] = [];
  for (const object of desired.map((each) => ownedBy(scope, each))) {
    const before = there.get(identity(object));
    there.delete(identity(object));
    const refused = before === undefined ? undefined : refusal(scope, before);
    if (before === undefined) writes.push({ action: 'create', object });
    else if (refused !== undefined) refusals.push(refused);
    else if (before.metadata.deletionTimestamp !== undefined) awaited.push(`${text(before)} is being deleted`);
    else writes.push(...update(object, before));
  }
  const unwanted = [...there.values()].filter((object) => isUnwanted(scope, object) && !keep(object));
  const deletes = unwanted.map((object): ObjectStep => ({ action: 'delete', object, why: 'no longer wanted' }));
  return { steps: [...writes.toSorted(byOrder), ...deletes.toSorted((a, b) => byOrder(b, a))], refusals, awaited };
}

/**
 * Gives the objects of a plane away: they lose their owner and stay when it is deleted. Source: gateway parameters, annotation
 * `reconcile: disabled` ("hand-over, migration").
 */
export function planHandOver(observed: readonly KubeObject[], scope: PlaneScope): readonly ObjectStep[] {
  const why = `${scope.owner.kind} ${scope.owner.name} is handed over`;
  return observed
    .filter((object) => isPrunable(scope, object) && object.metadata.deletionTimestamp === undefined)
    .map((object): ObjectStep => ({ action: 'disown', object, why }))
    .toSorted(byOrder);
}

/** The owners of an object without that of the plane, for the step `disown`. */
export function otherOwners(object: KubeObject, scope: PlaneScope): readonly unknown[] {
  return ownersOf(object).filter(({ uid }) => uid !== scope.owner.uid);
}

/** One line for one step: `update Deployment shop/gateway-web-primary: spec.replicas`. */
export function objectStepText(step: ObjectStep): string {
  const line = `${step.action} ${text(step.object)}`;
  if (step.action === 'create') return line;
  return `${line}: ${step.action === 'update' ? step.paths.join(', ') : step.why}`;
}

function update(object: KubeObject, before: KubeObject): readonly ObjectStep[] {
  const paths = differences(object, before);
  if (paths.length === 0) return [];
  const { uid } = before.metadata;
  const metadata = uid === undefined ? object.metadata : { ...object.metadata, uid };
  return [{ action: 'update', object: { ...object, metadata }, paths }];
}

function isUnwanted(scope: PlaneScope, object: KubeObject): boolean {
  return object.metadata.deletionTimestamp === undefined && isPrunable(scope, object);
}

function byOrder({ object: a }: ObjectStep, { object: b }: ObjectStep): number {
  return rank(a) - rank(b) || (identity(a) < identity(b) ? -1 : 1);
}

function rank({ kind }: KubeObject): number {
  const at = order.indexOf(kind);
  return at < 0 ? order.length : at;
}

function identity({ apiVersion, kind, metadata }: KubeObject): string {
  return `${kind}.${groupOf(apiVersion)} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function text(object: KubeObject): string {
  return objectText(object, object.metadata);
}
