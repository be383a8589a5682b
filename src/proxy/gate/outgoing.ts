import type { Exchange } from '../exchange.ts';
import { addForwarded, isForwarded, replacesForwarded } from './forwarded.ts';
import { isHopByHop, namedByConnection } from './hopbyhop.ts';

/** Written by the proxy itself: Host and the appended X-Forwarded-For; Expect is answered here and goes no further. */
const own = new Set(['host', 'x-forwarded-for', 'expect']);
const lengths = [...own].reduce((mask, name) => mask | (1 << name.length), 0);

/**
 * The field lines that go upstream, in their order and spelling, as a flat list: hop-by-hop fields and those that Connection names
 * are gone but for `TE: trailers`, forwarding fields added or replaced. Called once the request has a backend; filters work on the result.
 */
export function outgoingFields(exchange: Exchange): string[] {
  const raw = exchange.req.rawHeaders;
  const named = namedByConnection(exchange.connection);
  const isReplaced = replacesForwarded(exchange);
  const fields: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (isOwn(name) || isHopByHop(name)) continue;
    if (named !== undefined && named.has(name.toLowerCase())) continue;
    if (isReplaced && isForwarded(name)) continue;
    fields.push(name, raw[index + 1] ?? '');
  }
  if (exchange.wantsTrailers) fields.push('TE', 'trailers');
  addForwarded(exchange, fields);
  return fields;
}

function isOwn(name: string): boolean {
  if (name.length > 31 || ((lengths >> name.length) & 1) === 0) return false;
  return own.has(name) || own.has(name.toLowerCase());
}
