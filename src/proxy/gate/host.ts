import { fields } from './fields.ts';
import { refusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';

/** RFC 3986 `host [":" port]` without userinfo; a comma, legal in a reg-name, is refused since it may be two hosts joined. */
const authority = /^(?:(?:[A-Za-z0-9._~!$&'()*+;=-]|%[0-9A-Fa-f]{2})+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/;

/** Exactly one Host field, and a legal one (RFC 9112 §3.2). */
export function checkHost(): Refusal | undefined {
  const { host } = fields;
  if (host.count > 1) return refusal(400, 'host_duplicate');
  if (host.value === '') return refusal(400, 'host_missing');
  return authority.test(host.value) ? undefined : refusal(400, 'host_invalid');
}

/** The host that routes are matched with: lower case, without port and final dot. An IPv6 literal keeps its brackets. */
export function matchedHost(value: string): string {
  const colon = value.charCodeAt(0) === 0x5b ? value.indexOf(']:') + 1 : value.indexOf(':');
  const name = colon > 0 ? value.slice(0, colon) : value;
  const lower = name.toLowerCase();
  return lower.length > 1 && lower.endsWith('.') ? lower.slice(0, -1) : lower;
}
