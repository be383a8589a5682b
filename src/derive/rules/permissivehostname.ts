import type { Listener } from './listener.ts';
import { anyHost } from './hostnames.ts';

/** Why anybody may claim any hostname through a listener, where that is so. Seed: "cf.k8s.lex.la/PermissiveHostname". */
export function permissiveHostname({ name, hostname, namespaces, accepted }: Listener): string | undefined {
  if (accepted.status !== 'True' || hostname !== anyHost || namespaces?.from !== 'All') return undefined;
  return `listener ${name} has no hostname and admits routes of all namespaces, so that any of them can claim any host; set hostname, or narrow allowedRoutes.namespaces`;
}
