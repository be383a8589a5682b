import { fields } from './fields.ts';
import { refusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';

const digits = /^\d{1,16}$/;

/**
 * One message, one length (RFC 9112 §6): `Transfer-Encoding` is the single token `chunked` on HTTP/1.1, `Content-Length` plain digits, and
 * never both. Node's parser refuses some of these by itself; all are checked here, so that a change of the parser changes nothing.
 */
export function checkFraming(httpMinor: number): Refusal | undefined {
  const { transferEncoding, contentLength } = fields;
  if (transferEncoding.count > 0) {
    if (httpMinor === 0) return refusal(400, 'transfer_encoding_http10');
    if (contentLength.count > 0) return refusal(400, 'length_and_encoding');
    if (transferEncoding.count > 1 || transferEncoding.value.toLowerCase() !== 'chunked')
      return refusal(400, 'transfer_encoding');
    return undefined;
  }
  if (contentLength.count === 0) return undefined;
  if (contentLength.count > 1) return refusal(400, 'content_length_duplicate');
  const isLength = digits.test(contentLength.value) && Number(contentLength.value) <= Number.MAX_SAFE_INTEGER;
  return isLength ? undefined : refusal(400, 'content_length');
}
