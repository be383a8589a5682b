import type { GatewaySpecListenersAllowedRoutesNamespaces } from '../../../imports/gateway.networking.k8s.io.ts';
import type { Read } from '../engine/declare.ts';
import { assumes } from './assumption.ts';
import { namespaces } from './collections.ts';
import { matchesLabels } from './labelselector.ts';

/**
 * Whether a listener admits routes of a namespace. `unknown` carries why that cannot be told; offline it is `assumed`, which carries what was
 * taken to be so.
 */
export type Admission = 'admitted' | 'refused' | { readonly unknown: string } | { readonly assumed: string };

/** Spec: AllowedRoutes.namespaces; `Same` where nothing is said. */
export function admits(
  allowed: GatewaySpecListenersAllowedRoutesNamespaces | undefined,
  gatewayNamespace: string,
  routeNamespace: string,
  read: Read,
): Admission {
  switch (allowed?.from ?? 'Same') {
    case 'All':
      return 'admitted';
    case 'Same':
      return gatewayNamespace === routeNamespace ? 'admitted' : 'refused';
    case 'Selector':
      return bySelector(allowed?.selector, routeNamespace, read);
    default:
      return 'refused';
  }
}

function bySelector(
  selector: GatewaySpecListenersAllowedRoutesNamespaces['selector'],
  namespace: string,
  read: Read,
): Admission {
  if (selector === undefined) return 'refused';
  // The API server sets this label on every namespace, so a selector for it needs no Namespace object.
  const own = { 'kubernetes.io/metadata.name': namespace };
  return read(namespaces, namespace).when<Admission>({
    present: ({ metadata }) => (matchesLabels(selector, { ...metadata.labels, ...own }) ? 'admitted' : 'refused'),
    absent: () => 'refused',
    unknown: (why) => {
      if (isOnlyByName(selector)) return judged(matchesLabels(selector, own));
      return assumes(read)
        ? { assumed: `Namespace ${namespace} with the labels that the listeners ask for` }
        : { unknown: why };
    },
  });
}

function judged(matches: boolean): Admission {
  return matches ? 'admitted' : 'refused';
}

function isOnlyByName({
  matchLabels,
  matchExpressions,
}: NonNullable<GatewaySpecListenersAllowedRoutesNamespaces['selector']>): boolean {
  const keys = [...Object.keys(matchLabels ?? {}), ...(matchExpressions ?? []).map(({ key }) => key)];
  return keys.every((key) => key === 'kubernetes.io/metadata.name');
}
