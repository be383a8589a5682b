/** What Cloudflare should hold for a data plane: its tunnel, the tunnel's ingress document, its DNS records. */
import { compareHosts, compareIds } from '../../table/order.ts';
import type { DnsSettings, Plane } from '../plane.ts';
import type { CloudflareDesired } from '../results.ts';
import { tunnelDoor } from './addresses.ts';

/**
 * Rules with a hostname in the document at most. They are there for the dashboard only, and each costs cloudflared a transport and every push
 * the making of all of them anew; with more hostnames there is only the catch-all. Source: cloudflared facts §0, §10.
 */
export const mostHostnameRules = 100;

/** Seconds. Of every rule, as each has its own connections to the proxy. */
const originRequest = { connectTimeout: 5, keepAliveConnections: 2000, keepAliveTimeout: 90 };
const service = `http://${tunnelDoor.host}:${tunnelDoor.port}`;

/** `hostnames` are those served, exact or wildcard, in lower case; `*` stands for a listener or route that names none. */
export function cloudflareDesired({ settings }: Plane, hostnames: readonly string[]): CloudflareDesired {
  const distinct = [...new Set(hostnames)].toSorted(compareIds);
  return {
    tunnel: { name: settings.tunnelName },
    document: { ingress: ingress(distinct) },
    records: records(settings.dns, distinct),
  };
}

function ingress(hostnames: readonly string[]): object[] {
  const named = hostnames.filter((hostname) => hostname !== '*').toSorted(compareHosts);
  const shown = named.length > mostHostnameRules ? [] : named;
  return [...shown.map((hostname) => ({ hostname, service, originRequest })), { service, originRequest }];
}

function records(dns: DnsSettings, hostnames: readonly string[]): CloudflareDesired['records'] {
  if (dns.mode === 'off') return { mode: 'off', hostnames: [], skipped: [] };
  const zones = dns.mode === 'zones' ? dns.zones.map((zone) => zone.toLowerCase()) : undefined;
  const judged = hostnames.map((hostname) => ({ hostname, why: whyNot(hostname, zones) }));
  return {
    mode: dns.mode,
    hostnames: judged.filter(({ why }) => why === undefined).map(({ hostname }) => hostname),
    skipped: judged.flatMap(({ hostname, why }) => (why === undefined ? [] : [{ hostname, why }])),
  };
}

/** Only names directly below a listed zone, a wildcard there included. Source: gateway parameters, `dns.zones`. */
function whyNot(hostname: string, zones: readonly string[] | undefined): string | undefined {
  if (hostname === '*') return 'it stands for every hostname, so there is no name to make a record for';
  if (zones === undefined) return undefined;
  const parent = hostname.slice(hostname.indexOf('.') + 1);
  if (parent !== hostname && zones.includes(parent)) return undefined;
  return `it is not directly below one of the zones of spec.dns.zones (${zones.join(', ')})`;
}
