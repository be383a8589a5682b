import type { Exchange } from '../exchange.ts';

/**
 * Forwarding fields at the tunnel door: what cloudflared passes on is kept, its own address is appended to `X-Forwarded-For`, and the host
 * the client asked for is noted when nobody did. Proto and port are never touched: only the edge knows them. Field case B-51.
 */
export function addForwarded(exchange: Exchange, fields: string[]): void {
  const peer = peerAddress(exchange);
  fields.push('X-Forwarded-For', exchange.forwardedFor === '' ? peer : `${exchange.forwardedFor}, ${peer}`);
  if (!exchange.hasForwardedHost) fields.push('X-Forwarded-Host', exchange.authority);
}

function peerAddress(exchange: Exchange): string {
  const address = exchange.socket.remoteAddress ?? 'unknown';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
