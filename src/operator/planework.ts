import { planeSelector } from '../derive/emit/labels.ts';
import { certificatesName, planeName } from '../derive/emit/objectnames.ts';
import type { Plane } from '../derive/plane.ts';
import type { PlaneResult } from '../derive/results.ts';
import { carryOut } from '../effects/kube/carryout.ts';
import { objectStepText, planObjects, type ObjectPlan } from '../effects/kube/objectplan.ts';
import type { PlaneScope } from '../effects/kube/ownership.ts';
import { namespacedName, type KubeObject } from '../facts/object.ts';
import { certificatesSecret } from './certificates.ts';
import type { Parts } from './parts.ts';
import { pokePods } from './pods.ts';
import { tokenHashOf, tokenSecret, withTokenHash } from './token.ts';
import { writtenKinds } from './watchedkinds.ts';
import type { Worked } from './work.ts';

/** The plan of a plane's objects, and whom they belong to. */
export interface PlanePlan extends ObjectPlan {
  readonly scope: PlaneScope;
}

/** What would be written for a plane now; nothing where its owner is not there any more. */
export function planPlane(parts: Parts, result: PlaneResult): PlanePlan | undefined {
  const scope = planeScope(parts, result);
  if (scope === undefined) return undefined;
  const hash = tokenHash(parts, result);
  const isHeld = (result.table.held ?? []).length > 0;
  const isUnbuilt = hash === undefined || result.problem !== undefined;
  const hasToken = parts.tokens.has(result.plane.id);
  const keep = (object: KubeObject): boolean =>
    isKept(object, result, { isHeld, isUnbuilt, hasToken }) || isHeldCertificate(object, result);
  return {
    ...planObjects(desiredObjects(parts, result, { hash, isHeld }), observedObjects(parts, result.plane), scope, {
      keep,
    }),
    scope,
  };
}

/** Applies what differs, prunes what is ours and no longer wanted, and has the pods look at a new table at once. */
export async function workOnPlane(parts: Parts, result: PlaneResult): Promise<Worked> {
  const plan = planPlane(parts, result);
  if (plan === undefined) return undefined;
  const { logger, client, cluster } = parts;
  for (const refusal of plan.refusals) logger.warn('an object is in the way', { plane: result.plane.id, refusal });
  let isBlocked = plan.refusals.length > 0;
  for (const step of plan.steps) {
    const carried = await carryOut(client, step, plan.scope);
    logger.info('kubernetes', { plane: result.plane.id, step: objectStepText(step), outcome: carried.outcome });
    if (carried.outcome === 'written') cluster.observe(carried.object);
    if (carried.outcome === 'refused') {
      isBlocked = true;
      logger.warn('an object is in the way', { plane: result.plane.id, refusal: carried.why });
    }
  }
  if (plan.steps.some(({ object }) => isMounted(object, result.plane))) await pokePods(parts, result);
  if (plan.awaited.length > 0) return { againMs: 1000 };
  return isBlocked ? { againMs: blockedAgainMs } : undefined;
}

/** An object of somebody else is not watched, so that nobody tells when it has gone. */
const blockedAgainMs = 30_000;

/** Deletes everything of a plane while its Gateway is still there. Returns true when nothing is left. */
export async function removeObjects(
  parts: Parts,
  owner: KubeObject,
  plane: Pick<Plane, 'namespace' | 'name'>,
): Promise<boolean> {
  const scope = scopeOf(owner, plane);
  if (scope === undefined) return true;
  const { steps, awaited } = planObjects([], observedObjects(parts, plane), scope);
  for (const step of steps) {
    await carryOut(parts.client, step, scope);
    parts.logger.info('kubernetes', { plane: `${plane.namespace}/${plane.name}`, step: objectStepText(step) });
  }
  return steps.length === 0 && awaited.length === 0;
}

/** Of what is mounted: the token rolls the pods anyway, but certificates are taken over by the proxies that run. */
function isMounted({ kind, metadata }: KubeObject, plane: Plane): boolean {
  return kind === 'ConfigMap' || (kind === 'Secret' && metadata.name === certificatesName(plane));
}

interface Known {
  readonly isHeld: boolean;
  readonly isUnbuilt: boolean;
  readonly hasToken: boolean;
}

/** What runs stays as it is while what it should be cannot be told: the token, for one, until Cloudflare was asked for it. */
function isKept(
  { kind, metadata }: KubeObject,
  { plane }: PlaneResult,
  { isHeld, isUnbuilt, hasToken }: Known,
): boolean {
  if (kind === 'Secret' && metadata.name === planeName(plane)) return isUnbuilt || !hasToken;
  return kind === 'ConfigMap' ? isHeld : isUnbuilt;
}

/** Certificates of which not all can be told stay as they are. */
function isHeldCertificate({ kind, metadata }: KubeObject, { plane, certificates }: PlaneResult): boolean {
  return kind === 'Secret' && certificates?.isHeld === true && metadata.name === certificatesName(plane);
}

function desiredObjects(
  { tokens, store }: Parts,
  result: PlaneResult,
  { hash, isHeld }: { readonly hash: string | undefined; readonly isHeld: boolean },
): readonly KubeObject[] {
  const { plane, objects } = result;
  const token = tokens.get(plane.id);
  // While something it needs cannot be told, the table that is served stays (seed, "Fail-closed enforcement").
  const kept = isHeld ? objects.filter(({ kind }) => kind !== 'ConfigMap') : objects;
  const rolled = kept.flatMap((object) => {
    if (object.kind !== 'Deployment') return [object];
    return hash === undefined ? [] : [withTokenHash(object, hash)];
  });
  const certificates = result.certificates?.isHeld === true ? undefined : certificatesSecret(store, result);
  return [
    ...rolled,
    ...(token === undefined ? [] : [tokenSecret(plane, token.reveal())]),
    ...(certificates === undefined ? [] : [certificates]),
  ];
}

/** As Cloudflare gave it, or, while that cannot be asked, as the Secret of a plane that runs already has it. */
function tokenHash({ tokens, store }: Parts, { plane }: PlaneResult): string | undefined {
  return (
    tokens.get(plane.id)?.hash ?? tokenHashOf(store.get('Secret', namespacedName(plane.namespace, planeName(plane))))
  );
}

/** Everything in the namespace of the kinds we write, and the Secrets of the plane. */
export function observedObjects({ store }: Parts, plane: Pick<Plane, 'namespace' | 'name'>): readonly KubeObject[] {
  const prefix = `${plane.namespace}/`;
  const secrets = [planeName(plane), certificatesName(plane)].flatMap(
    (name) => store.get('Secret', namespacedName(plane.namespace, name)) ?? [],
  );
  const others = writtenKinds.flatMap((kind) =>
    [...store.keys(kind)].filter((key) => key.startsWith(prefix)).flatMap((key) => store.get(kind, key) ?? []),
  );
  return [...others, ...secrets];
}

/** A plane of one Gateway belongs to it, a shared one to its class. */
function planeScope({ store }: Parts, { plane }: PlaneResult): PlaneScope | undefined {
  const isDedicated = plane.gateways.length === 1 && plane.gateways[0] === plane.id;
  const owner = isDedicated ? store.get('Gateway', plane.id) : store.get('GatewayClass', plane.gatewayClassName);
  return owner === undefined ? undefined : scopeOf(owner, plane);
}

/** What an owner's plane is known by. Nothing for an owner that the API server has not seen. */
export function scopeOf(owner: KubeObject, plane: Pick<Plane, 'name'>): PlaneScope | undefined {
  const { apiVersion, kind, metadata } = owner;
  if (metadata.uid === undefined) return undefined;
  return { owner: { apiVersion, kind, name: metadata.name, uid: metadata.uid }, labels: planeSelector(plane) };
}
