import { isIP } from 'node:net';
import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { TableBackend } from '../../table/document.ts';

/**
 * The name that is dialled: a name with a dot in it gets a final one, so that the resolver does not try the pod's search domains first
 * (decisions, "Backends in the table").
 */
export function dialledName(host: string): string {
  return isIP(host) !== 0 || !host.includes('.') || host.endsWith('.') ? host : `${host}.`;
}

/** The name in SNI and certificates has no final dot; an address is no such name (RFC 6066 §3). */
export function certificateName(host: string): string | undefined {
  if (isIP(host) !== 0) return undefined;
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** `host:port` of the endpoints document, IPv6 in brackets; `undefined` if it is neither. */
export function parseAddress(address: string): { readonly host: string; readonly port: number } | undefined {
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  const host = address.slice(0, colon);
  if (colon < 1 || !Number.isInteger(port) || port < 1 || port > 65535) return undefined;
  return { host: host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host, port };
}

/** The authority of an URL or of `:authority`: IPv6 literals in brackets. */
export function authorityOf({ host, port }: Pick<TableBackend, 'host' | 'port'>): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

type SystemLookup = (
  name: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves names for every new connection; a lookup that fails gives the last good addresses, so that a DNS outage cuts nobody off. */
export function createLookup(
  system: SystemLookup = (name, options, done) => systemLookup(name, options, done),
): LookupFunction {
  const lastGood = new Map<string, LookupAddress[]>();
  return (hostname, options, callback) => {
    system(hostname, { all: true }, (error, addresses) => {
      const known = error === null && addresses.length > 0 ? addresses : lastGood.get(hostname);
      if (!known) {
        callback(error ?? new Error(`${hostname} has no address`), []);
        return;
      }
      lastGood.set(hostname, known);
      if (options.all) callback(null, known);
      else callback(null, known[0]?.address ?? '', known[0]?.family);
    });
  };
}
