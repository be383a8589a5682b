import type { Path } from '../fieldpath.ts';
import { isRecord } from '../schema/schema.ts';

/** An object of a document, and where in the document it is. */
export interface Item {
  readonly value: unknown;
  readonly path: Path;
}

/**
 * The objects of a document: itself, or the items of a `kind: List` or of any `kind: …List`, lists in lists included. An item
 * of a typed list may leave out its type, as the API server does.
 */
export function* flatten(value: unknown, path: Path = []): Generator<Item> {
  const items = itemsOf(value);
  if (items === undefined || !isRecord(value)) {
    yield { value, path };
    return;
  }
  const kind = String(value['kind']).replace(/List$/, '');
  const type = kind === '' ? {} : { apiVersion: value['apiVersion'], kind };
  for (const [index, item] of items.entries()) {
    yield* flatten(isRecord(item) ? { ...type, ...item } : item, [...path, 'items', index]);
  }
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (!isRecord(value) || typeof value['kind'] !== 'string' || !value['kind'].endsWith('List') || 'spec' in value)
    return undefined;
  const { items } = value;
  if (Array.isArray(items)) return items;
  return value['kind'] === 'List' && (items === undefined || items === null) ? [] : undefined;
}
