/**
 * The gate: refuses what is ambiguous before anything is routed, and puts what it read into the exchange. Order: size, framing, host,
 * target, expectation. Source: anchors C4 as changed by the decisions on requests.
 */
import type { Exchange } from '../exchange.ts';
import { fields, readFields } from './fields.ts';
import { checkFraming } from './framing.ts';
import { checkHost, matchedHost } from './host.ts';
import { limits } from './limits.ts';
import type { Limits } from './limits.ts';
import { refusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import { readTarget } from './target.ts';

/** `undefined`: the request may be routed. */
export function admit(exchange: Exchange): Refusal | undefined {
  const { req } = exchange;
  const { fieldBytes, fieldCount } = limitsOf(exchange);
  const bytes = readFields(req.rawHeaders);
  if (bytes > fieldBytes) return refusal(431, 'field_bytes');
  if (req.rawHeaders.length > 2 * fieldCount) return refusal(431, 'field_count');
  const refused = checkFraming(req.httpVersionMinor) ?? checkHost();
  if (refused) return refused;
  exchange.authority = fields.host.value;
  exchange.host = matchedHost(fields.host.value);
  return readTarget(exchange, req.url ?? '', limitsOf(exchange)) ?? takeFields(exchange);
}

function limitsOf({ door }: Exchange): Limits {
  return door === undefined ? limits.tunnel : limits.listener;
}

const grpc = /^application\/grpc(?:[;+]|\s*$)/i;
const trailers = /(?:^|,)\s*trailers\s*(?:,|;|$)/i;

function takeFields(exchange: Exchange): Refusal | undefined {
  const { connection, upgrade, contentLength, transferEncoding, te, contentType, forwardedFor, forwardedHost, expect } =
    fields;
  if (expect.count > 0) {
    if (expect.value.toLowerCase() !== '100-continue') return refusal(417, 'expect');
    exchange.expectsContinue = exchange.req.httpVersionMinor > 0;
  }
  exchange.connection = connection.value;
  exchange.upgrade = upgrade.value;
  exchange.forwardedFor = forwardedFor.value;
  exchange.hasForwardedHost = forwardedHost.count > 0;
  exchange.isChunked = transferEncoding.count > 0;
  exchange.hasBody = exchange.isChunked || (contentLength.count > 0 && contentLength.value !== '0');
  exchange.isGrpc = contentType.count > 0 && grpc.test(contentType.value);
  exchange.wantsTrailers = te.count > 0 && trailers.test(te.value);
  return undefined;
}
