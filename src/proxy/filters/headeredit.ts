import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { HeaderModifier, HeaderValue } from '../../table/document.ts';
import { isHopByHop } from '../gate/hopbyhop.ts';

/** A header modifier made ready: names in lower case beside their spelling, each name once per list, illegal ones left out. */
export interface HeaderEdit {
  readonly set: ReadonlyMap<string, HeaderValue>;
  readonly add: ReadonlyMap<string, HeaderValue>;
  readonly remove: ReadonlySet<string>;
}

/**
 * Compiles set, add and remove. For equivalent names the first entry counts (Gateway API, HTTPHeaderFilter). Fields that frame the
 * message or belong to one hop cannot be set or added: they are the proxy's to write.
 */
export function headerEdit(filter: HeaderModifier): HeaderEdit {
  return {
    set: byName(filter.set ?? []),
    add: byName(filter.add ?? []),
    remove: new Set((filter.remove ?? []).map((name) => name.toLowerCase())),
  };
}

/** Set, then add, then remove, on a flat list of field lines. */
export function editFields(fields: readonly string[], edit: HeaderEdit): string[] {
  const out: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    const lower = name.toLowerCase();
    if (edit.set.has(lower) || edit.remove.has(lower)) continue;
    out.push(name, fields[index + 1] ?? '');
  }
  for (const [lower, header] of edit.set) if (!edit.remove.has(lower)) out.push(header.name, header.value);
  for (const [lower, header] of edit.add) if (!edit.remove.has(lower)) out.push(header.name, header.value);
  return out;
}

function byName(headers: readonly HeaderValue[]): Map<string, HeaderValue> {
  const map = new Map<string, HeaderValue>();
  for (const header of headers) {
    const lower = header.name.toLowerCase();
    if (!map.has(lower) && isLegal(header) && !isFraming(lower)) map.set(lower, header);
  }
  return map;
}

function isFraming(lower: string): boolean {
  return lower === 'content-length' || isHopByHop(lower);
}

function isLegal({ name, value }: HeaderValue): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
