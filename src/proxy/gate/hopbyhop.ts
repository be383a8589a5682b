/**
 * Fields that concern one hop only (RFC 9110 §7.6.1) and never cross the proxy, in either direction.
 */
const always = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Never stripped because a `Connection` field names them: taking away framing, the host or what the edge says of the client is an attack. */
const never = new Set([
  'content-length',
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
]);

const lengths = [...always].reduce((mask, name) => mask | (1 << name.length), 0);
const harmless = new Set(['', 'keep-alive', 'close']);

/** Whether a field is hop-by-hop by its name. */
export function isHopByHop(name: string): boolean {
  if (name.length > 31 || ((lengths >> name.length) & 1) === 0) return false;
  return always.has(name) || always.has(name.toLowerCase());
}

/** Names listed by a `Connection` field beyond the usual ones, lower case; `undefined` when there are none. */
export function namedByConnection(connection: string): ReadonlySet<string> | undefined {
  if (connection === '' || connection === 'keep-alive' || connection === 'close') return undefined;
  let named: Set<string> | undefined;
  for (const token of connection.split(',')) {
    const name = token.trim().toLowerCase();
    if (harmless.has(name) || never.has(name) || always.has(name)) continue;
    named ??= new Set();
    named.add(name);
  }
  return named;
}
