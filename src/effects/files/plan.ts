import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  contentHash,
  decodeInventory,
  encodeInventory,
  inventoryFile,
  inventoryOf,
  type Inventory,
} from './inventory.ts';
import type { Files } from './texts.ts';

/** One step, or the reason a file is left as it is. `before` and `after` are texts. */
export type FileStep =
  | { readonly action: 'create'; readonly path: string; readonly after: string }
  | {
      readonly action: 'change';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      /** Somebody changed the file after we wrote it; what they wrote is lost, and Git has it. */
      readonly edited: boolean;
    }
  | { readonly action: 'delete'; readonly path: string; readonly before: string }
  | { readonly action: 'keep'; readonly path: string; readonly why: string };

/** What must happen in a directory for it to hold the desired files. */
export interface FilePlan {
  /** In the order they are carried out, sorted by path; empty if no file differs. */
  readonly steps: readonly FileStep[];
  /** What is ours afterwards; a stale file that is kept stays named, so that it is told again. */
  readonly inventory: Inventory;
  /** What is ours before. */
  readonly ours: Inventory;
  /** The inventory on disk is not the text it will be. */
  readonly isInventoryStale: boolean;
  /** Files in the way that are not ours: sentences. Nothing may be carried out while there are any. */
  readonly refusals: readonly string[];
}

/**
 * Compares the desired files with a directory, which need not exist. Only files that the directory's inventory names are ours.
 * Throws one sentence if the inventory cannot be read, and Node's error if a file cannot.
 */
export async function planFiles(desired: Files, directory: string): Promise<FilePlan> {
  const text = await contentOf(join(directory, inventoryFile));
  if (text === notAFile) throw new Error(`${inventoryFile} is no file; render into another directory`);
  const ours: Inventory = text === undefined ? new Map() : decodeInventory(text);
  const inventory = new Map(inventoryOf(desired));
  const steps: FileStep[] = [];
  const refusals: string[] = [];
  for (const path of [...new Set([...desired.keys(), ...ours.keys()])].toSorted()) {
    const before = await contentOf(join(directory, path));
    const step = stepFor({ path, after: desired.get(path), before, was: ours.get(path) });
    if (typeof step === 'string') refusals.push(step);
    else if (step !== undefined) steps.push(step);
    if (typeof step === 'object' && step.action === 'keep') inventory.set(path, ours.get(path) ?? '');
  }
  return { steps, inventory, ours, isInventoryStale: text !== encodeInventory(inventory), refusals };
}

/** What stands at a path that is neither a file nor nothing. */
const notAFile = Symbol('not a file');

interface Compared {
  readonly path: string;
  readonly after: string | undefined;
  readonly before: string | typeof notAFile | undefined;
  /** SHA-256 of what we wrote there last; nothing if we did not. */
  readonly was: string | undefined;
}

function stepFor({ path, after, before, was }: Compared): FileStep | string | undefined {
  if (before === after) return undefined;
  if (after === undefined) return stale(path, before, was);
  if (before === undefined) return { action: 'create', path, after };
  if (before === notAFile) return `${path} is in the way and is no file; move it, or render into another directory`;
  if (was !== undefined) return { action: 'change', path, before, after, edited: contentHash(before) !== was };
  return `${path} is in the way and was not written by cfgwctl; move it, or render into another directory`;
}

/** A file that nothing asks for any more is deleted only if it is as we left it. */
function stale(path: string, before: Compared['before'], was: string | undefined): FileStep | undefined {
  if (before === undefined || before === notAFile) return undefined;
  if (contentHash(before) === was) return { action: 'delete', path, before };
  return {
    action: 'keep',
    path,
    why: 'nothing asks for it any more, but it was edited after it was written; delete it by hand',
  };
}

async function contentOf(path: string): Promise<string | typeof notAFile | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'EISDIR') return notAFile;
    throw error;
  }
}
