import { classOwnership } from '../derive/rules/gatewayclass.ts';
import { addFinalizer, removeFinalizer } from '../effects/kube/finalizers.ts';
import type { Parts } from './parts.ts';

/** The finalizer the Gateway API recommends on a GatewayClass while a Gateway uses it. Source: GatewayClassSpec; seed, "The gateway-exists finalizer is managed". */
const finalizer = 'gateway-exists-finalizer.gateway.networking.k8s.io';

/** Sees to it that a class of ours has the finalizer exactly while a Gateway names it. */
export async function workOnClass({ store, derivation, client, cluster }: Parts, name: string): Promise<void> {
  const gatewayClass = store.get('GatewayClass', name);
  if (gatewayClass === undefined || derivation.read(classOwnership, name) !== 'ours') return;
  // What is not listed yet may hold a Gateway of the class.
  if (!store.knowledge('Gateway').complete) return;
  const isUsed = [...store.keys('Gateway')].some((key) => classOf(store.get('Gateway', key)) === name);
  const written = await (isUsed ? addFinalizer : removeFinalizer)(client, gatewayClass, finalizer);
  if (written !== undefined && written !== gatewayClass) cluster.observe(written);
}

/** The class a Gateway names. */
export function classOf(gateway: { readonly [field: string]: unknown } | undefined): string | undefined {
  return (gateway?.['spec'] as { readonly gatewayClassName?: string } | undefined)?.gatewayClassName;
}
