import { annotations } from '../api/names.ts';
import type { PlaneResult } from '../derive/results.ts';
import { gatewayAccepted, gatewayOwnership } from '../derive/rules/gateway.ts';
import { addFinalizer, removeFinalizer } from '../effects/kube/finalizers.ts';
import { carryOut } from '../effects/kube/carryout.ts';
import { planHandOver } from '../effects/kube/objectplan.ts';
import type { KubeObject } from '../facts/object.ts';
import { workOnCloudflare } from './cloudflarework.ts';
import type { Parts } from './parts.ts';
import { observedObjects, removeObjects, scopeOf, workOnPlane } from './planework.ts';
import type { Worked } from './work.ts';

/** Holds a Gateway until nothing of it is left at Cloudflare. */
export const finalizer = 'cloudflare-gateway-controller.io/cleanup';

/** How soon after a step of a deletion the next is tried: connections of a tunnel take a moment to end. */
const nextStepMs = 2000;

/**
 * One plane, from its first object to its last: finalizer first, then Cloudflare and Kubernetes, each as far as it can go by itself. A
 * Gateway that goes loses its records, then its pods, then its tunnel, and then its finalizer.
 */
export async function workOnGateway(parts: Parts, id: string): Promise<Worked> {
  const gateway = parts.store.get('Gateway', id);
  const result = parts.derivation.planes().get(id);
  if (gateway?.metadata.deletionTimestamp !== undefined) return letGo(parts, gateway, result);
  if (result === undefined) return gateway === undefined ? undefined : takeDown(parts, id, gateway);
  if (gateway !== undefined) {
    const held = await addFinalizer(parts.client, gateway, finalizer);
    if (held === undefined) return undefined;
    parts.cluster.observe(held);
  }
  return workOnPlane(parts, result);
}

/** Reasons for which a Gateway can never be served as it is; with any other its last good plane goes on. */
const refusedForGood = ['Invalid', 'UnsupportedAddress'];

/** Seeds, "spec.tls.frontend", "spec.addresses": the data plane of a Gateway that is refused so is removed; its tunnel stays. */
async function takeDown(parts: Parts, id: string, gateway: KubeObject): Promise<Worked> {
  const { status, reason } = parts.derivation.read(gatewayAccepted, id);
  const isOurs = parts.derivation.read(gatewayOwnership, id) === 'ours';
  if (!isOurs || status !== 'False' || !refusedForGood.includes(reason)) return undefined;
  const { namespace = '', name } = gateway.metadata;
  const isGone = await removeObjects(parts, gateway, { namespace, name });
  return isGone ? undefined : { againMs: nextStepMs };
}

/** Source: DESIGN, "Cloudflare": deletion of a Gateway is a finalizer that ends in nothing left behind. */
async function letGo(parts: Parts, gateway: KubeObject, result: PlaneResult | undefined): Promise<Worked> {
  if (!(gateway.metadata.finalizers ?? []).includes(finalizer)) return undefined;
  if (gateway.metadata.annotations?.[annotations.reconcile] === 'disabled') {
    await handOver(parts, gateway);
    return release(parts, gateway);
  }
  // What cannot be told is not gone: without credentials, or while the Gateway is refused, the finalizer stays and says why.
  if (result === undefined) {
    parts.logger.warn(
      'a Gateway goes and its tunnel cannot be reached: mend its parameters, or set reconcile: disabled to leave tunnel and records',
      {
        gateway: `${gateway.metadata.namespace}/${gateway.metadata.name}`,
      },
    );
    return { againMs: 15_000 };
  }
  const records = await workOnCloudflare(parts, result, 'records');
  if (records.isIncomplete) return { againMs: records.againMs };
  if (!(await removeObjects(parts, gateway, result.plane))) return { againMs: nextStepMs };
  const all = await workOnCloudflare(parts, result, 'all');
  if (!all.gone) return { againMs: nextStepMs };
  return release(parts, gateway);
}

/** Gateway parameters, annotation `reconcile: disabled`: objects lose their owner, tunnel and DNS stay. */
async function handOver(parts: Parts, gateway: KubeObject): Promise<void> {
  const { namespace = '', name } = gateway.metadata;
  const scope = scopeOf(gateway, { name });
  if (scope === undefined) return;
  for (const step of planHandOver(observedObjects(parts, { namespace, name }), scope))
    await carryOut(parts.client, step, scope);
}

async function release(parts: Parts, gateway: KubeObject): Promise<undefined> {
  const left = await removeFinalizer(parts.client, gateway, finalizer);
  if (left !== undefined) parts.cluster.observe(left);
  parts.tokens.delete(`${gateway.metadata.namespace}/${gateway.metadata.name}`);
}
