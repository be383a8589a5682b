import { view } from '../engine/declare.ts';
import { attachments } from './attachment.ts';
import type { RedirectDefaults } from './filters.ts';

/** Ports Cloudflare's edge serves by scheme: a request can have arrived on no other. Source: Cloudflare, "Network ports". */
const edgePorts: Readonly<Record<'http' | 'https', readonly number[]>> = {
  http: [80, 8080, 8880, 2052, 2082, 2086, 2095],
  https: [443, 2053, 2083, 2087, 2096, 8443],
};
const wellKnown = { http: 80, https: 443 } as const;

/**
 * Scheme and port of a redirect that names neither, chosen once per route among the listeners it is attached to: HTTPS before
 * HTTP, then the well-known port, then the lowest; a port the edge does not serve is left out. Seed: "Redirect port".
 */
export const redirectDefaults = view('redirectDefaults', (route, read): RedirectDefaults => {
  const bound = read(attachments, route).flatMap(({ bindings }) => bindings);
  const scheme = bound.length === 0 || bound.some(({ protocol }) => protocol === 'HTTPS') ? 'https' : 'http';
  const ports = bound.filter(({ protocol }) => protocol.toLowerCase() === scheme).map(({ port }) => port);
  const port = ports.includes(wellKnown[scheme]) ? wellKnown[scheme] : Math.min(...ports);
  const isWritten = port !== wellKnown[scheme] && edgePorts[scheme].includes(port);
  return isWritten ? { scheme, port } : { scheme };
});
