import type { HeaderModifier } from '../../table/document.ts';
import type { ResponseFilter } from '../exchange.ts';
import { editFields, headerEdit } from './headeredit.ts';

/**
 * ResponseHeaderModifier: every response of a backend, the 101 of a WebSocket handshake included (seed: "ResponseHeaderModifier MUST preserve
 * WebSocket handshake headers"), never an answer the proxy makes itself.
 */
export function responseHeaderModifier(filter: HeaderModifier): ResponseFilter {
  const edit = headerEdit(filter);
  return (fields) => editFields(fields, edit);
}
