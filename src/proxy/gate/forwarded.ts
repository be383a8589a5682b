import type { Exchange } from '../exchange.ts';

const replaced = new Set(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port']);

/** Whether what the peer says of the client is dropped: at an in-cluster door, where anybody may say anything (decisions, "Gate limits"). */
export function replacesForwarded({ door }: Exchange): boolean {
  return door !== undefined && !door.isTrusted;
}

/** Whether a field is one of those that are replaced. */
export function isForwarded(name: string): boolean {
  return replaced.has(name.toLowerCase());
}

/**
 * Forwarding fields. At the tunnel door, and from a trusted peer, what comes in is kept, the peer's address is appended to
 * `X-Forwarded-For`, and the host the client asked for is noted when nobody did; proto and port are never touched, as only the edge
 * knows them. At an in-cluster door all of them say what the proxy itself has seen. Field case B-51.
 */
export function addForwarded(exchange: Exchange, fields: string[]): void {
  const peer = peerAddress(exchange);
  const { door } = exchange;
  if (door !== undefined && !door.isTrusted) {
    fields.push('X-Forwarded-For', peer, 'X-Forwarded-Host', exchange.authority);
    fields.push('X-Forwarded-Proto', door.protocol.toLowerCase(), 'X-Forwarded-Port', String(door.port));
    return;
  }
  fields.push('X-Forwarded-For', exchange.forwardedFor === '' ? peer : `${exchange.forwardedFor}, ${peer}`);
  if (!exchange.hasForwardedHost) fields.push('X-Forwarded-Host', exchange.authority);
}

/** Of whoever is at the other end of the connection; an IPv4 address in its own form. */
export function peerAddress({ socket }: Pick<Exchange, 'socket'>): string {
  const address = socket.remoteAddress ?? 'unknown';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
