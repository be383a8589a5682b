import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contentHash, decodeInventory, inventoryFile, inventoryOf, type Inventory } from './inventory.ts';
import type { Files } from './layout.ts';

/** One step, or the reason a file is left as it is. `before` and `after` are texts. */
export type FileStep =
  | { readonly action: 'create'; readonly path: string; readonly after: string }
  | { readonly action: 'change'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly action: 'delete'; readonly path: string; readonly before: string }
  | { readonly action: 'keep'; readonly path: string; readonly why: string };

/** What must happen in a directory for it to hold the desired files. */
export interface FilePlan {
  /** In the order they are carried out, sorted by path; empty if nothing differs. */
  readonly steps: readonly FileStep[];
  /** What is ours afterwards. */
  readonly inventory: Inventory;
  /** What is ours before. */
  readonly ours: Inventory;
  /** Files in the way that are not ours: sentences. Nothing may be carried out while there are any. */
  readonly refusals: readonly string[];
}

/**
 * Compares the desired files with a directory, which need not exist. Only files that the directory's inventory names are ours.
 * Throws one sentence if the inventory cannot be read, and Node's error if a file cannot.
 */
export async function planFiles(desired: Files, directory: string): Promise<FilePlan> {
  const text = await contentOf(join(directory, inventoryFile));
  const ours: Inventory = text === undefined ? new Map() : decodeInventory(text);
  const steps: FileStep[] = [];
  const refusals: string[] = [];
  for (const path of [...new Set([...desired.keys(), ...ours.keys()])].toSorted()) {
    const step = stepFor({ path, after: desired.get(path), before: await contentOf(join(directory, path)), ours });
    if (typeof step === 'string') refusals.push(step);
    else if (step !== undefined) steps.push(step);
  }
  return { steps, inventory: inventoryOf(desired), ours, refusals };
}

interface Compared {
  readonly path: string;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly ours: Inventory;
}

function stepFor({ path, after, before, ours }: Compared): FileStep | string | undefined {
  if (before === after) return undefined;
  if (after === undefined) return stale(path, before, ours);
  if (before === undefined) return { action: 'create', path, after };
  if (ours.has(path)) return { action: 'change', path, before, after };
  return `${path} is in the way and was not written by cfgwctl; move it, or render into another directory`;
}

/** A file that nothing asks for any more is deleted only if it is as we left it. */
function stale(path: string, before: string | undefined, ours: Inventory): FileStep | undefined {
  if (before === undefined) return undefined;
  if (contentHash(before) === ours.get(path)) return { action: 'delete', path, before };
  return {
    action: 'keep',
    path,
    why: 'nothing asks for it any more, but it was edited after it was written; delete it by hand',
  };
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
