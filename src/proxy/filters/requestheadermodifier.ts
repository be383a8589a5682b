import type { HeaderModifier } from '../../table/document.ts';
import type { RequestFilter } from '../exchange.ts';
import { editFields, headerEdit } from './headeredit.ts';

const host = 'host';

/**
 * RequestHeaderModifier. `Host` is no field line here but the exchange's own: setting or adding it replaces the host that is sent, unless a
 * URLRewrite has set one (field case B-50); removing it does nothing, as a request without Host is illegal.
 */
export function requestHeaderModifier(filter: HeaderModifier): RequestFilter {
  const edit = headerEdit(filter);
  const newHost = edit.set.get(host)?.value ?? edit.add.get(host)?.value;
  const fieldsOnly = { set: without(edit.set), add: without(edit.add), remove: edit.remove };
  return (exchange) => {
    exchange.fields = editFields(exchange.fields, fieldsOnly);
    if (newHost !== undefined && !exchange.isHostRewritten) exchange.outHost = newHost;
  };
}

function without<T>(headers: ReadonlyMap<string, T>): Map<string, T> {
  const rest = new Map(headers);
  rest.delete(host);
  return rest;
}
