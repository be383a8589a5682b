import { hash } from 'node:crypto';
import type { Files } from './texts.ts';

/** The file that names all files of ours in a rendered directory. */
export const inventoryFile = 'inventory.json';

/** SHA-256 of what we last wrote, by path. */
export type Inventory = ReadonlyMap<string, string>;

interface InventoryDocument {
  readonly files: Readonly<Record<string, string>>;
}

export function inventoryOf(files: Files): Inventory {
  return new Map([...files].map(([path, text]) => [path, contentHash(text)]));
}

/** The text of an inventory, paths sorted. */
export function encodeInventory(inventory: Inventory): string {
  const files = Object.fromEntries([...inventory].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const head =
    'Every file here that cfgwctl render wrote, with its SHA-256. Files that are not named here are left alone.';
  return `${JSON.stringify({ '//': head, files }, undefined, 2)}\n`;
}

/** Throws one sentence for a text that is no inventory: without it nothing could be told to be ours. */
export function decodeInventory(text: string): Inventory {
  const { files } = parsed(text);
  const entries = Object.entries(files ?? {});
  if (files === undefined || entries.some(([path, sum]) => typeof sum !== 'string' || isOutside(path)))
    throw new Error(
      `${inventoryFile} is not one that cfgwctl wrote; restore it from Git, or render into an empty directory`,
    );
  return new Map(entries);
}

/** A path that would lead out of the directory is none of ours. */
function isOutside(path: string): boolean {
  return path.startsWith('/') || path.split('/').some((part) => part === '..' || part === '.' || part === '');
}

function parsed(text: string): Partial<InventoryDocument> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export function contentHash(text: string): string {
  return hash('sha256', text, 'hex');
}
