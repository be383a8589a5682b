import { normalPath } from '../../table/path.ts';
import type { Exchange } from '../exchange.ts';
import type { Limits } from './limits.ts';
import { refusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';

/** Path of `OPTIONS *`, which asks about the server as a whole and is answered by the proxy. */
export const asterisk = '*';

const absolute = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * The request target (RFC 9112 §3.2): origin-form, absolute-form that agrees with Host, or `*` for OPTIONS. Puts path and query into
 * the exchange, the path in the one normal form that is both matched and sent.
 */
export function readTarget(exchange: Exchange, target: string, { targetBytes }: Limits): Refusal | undefined {
  if (target.length > targetBytes) return refusal(414, 'target_length');
  if (target.charCodeAt(0) === 0x2f) return readPath(exchange, target);
  if (target === asterisk) {
    exchange.path = asterisk;
    return exchange.method === 'OPTIONS' ? undefined : refusal(400, 'target_form');
  }
  const parts = absolute.exec(target);
  if (!parts) return refusal(400, 'target_form');
  const [, authority = '', rest = ''] = parts;
  if (authority.toLowerCase() !== exchange.authority.toLowerCase()) return refusal(400, 'target_authority');
  return readPath(exchange, rest.startsWith('/') ? rest : `/${rest}`);
}

function readPath(exchange: Exchange, target: string): Refusal | undefined {
  if (target.includes('#')) return refusal(400, 'target_fragment');
  const mark = target.indexOf('?');
  const normal = normalPath(mark === -1 ? target : target.slice(0, mark));
  if (normal.path === undefined) return refusal(400, 'path');
  exchange.path = normal.path;
  if (mark !== -1) {
    exchange.search = target.slice(mark);
    exchange.query = target.slice(mark + 1);
  }
  return undefined;
}
