import type { RequestRedirect } from '../../table/document.ts';
import type { Arrival, Exchange } from '../exchange.ts';
import { modifiedPath } from './pathmodifier.ts';
import { wonPrefix } from './urlrewrite.ts';

const wellKnown = { http: 80, https: 443 } as const;

/**
 * The Location of a RequestRedirect. Host without its own port; the port is that of the filter, or, where neither scheme nor port is
 * set, that of the listener; at the tunnel door, where none is known, the one chosen beforehand. 80 for http and 443 for https are left out.
 * Seed: "Redirect port"; spec, HTTPRequestRedirectFilter.port.
 */
export function redirectLocation(filter: RequestRedirect, exchange: Exchange): string {
  const { door } = exchange;
  const here = door === undefined ? filter.atTunnel : { scheme: schemeOf(door), port: door.port };
  const scheme = filter.scheme ?? here.scheme;
  const port = filter.port ?? (filter.scheme === undefined ? here.port : undefined);
  const host = filter.hostname ?? exchange.host;
  const path =
    filter.path === undefined ? exchange.path : modifiedPath(filter.path, exchange.path, wonPrefix(exchange));
  const shownPort = port === undefined || port === wellKnown[scheme] ? '' : `:${port}`;
  return `${scheme}://${host}${shownPort}${path}${exchange.search}`;
}

function schemeOf({ protocol }: Arrival): 'http' | 'https' {
  return protocol === 'HTTPS' ? 'https' : 'http';
}
