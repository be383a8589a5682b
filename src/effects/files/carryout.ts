import { mkdir, rename, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { encodeInventory, inventoryFile, type Inventory } from './inventory.ts';
import type { FilePlan, FileStep } from './plan.ts';

/**
 * Carries a plan out. The inventory first names everything, old and new, and in the end what is left: whenever it is stopped,
 * every file of ours is in it, and the next run comes to the same end. Nothing is written if nothing differs.
 * `done` is called after each step. Throws Node's error if a file cannot be written, and a sentence if the plan has refusals.
 */
export async function carryOutFiles(
  { steps, inventory, ours, isInventoryStale, refusals }: FilePlan,
  directory: string,
  done: (step: FileStep) => void = () => undefined,
): Promise<void> {
  const [refusal] = refusals;
  if (refusal !== undefined) throw new Error(refusal);
  const writes = steps.filter(({ action }) => action !== 'keep');
  if (writes.length > 0) await writeInventory(directory, new Map([...inventory, ...ours]));
  for (const step of writes) {
    await carryOut(step, directory);
    done(step);
  }
  if (writes.length > 0 || isInventoryStale) await writeInventory(directory, inventory);
}

async function carryOut(step: FileStep, directory: string): Promise<void> {
  if (step.action === 'keep') return;
  const path = join(directory, step.path);
  if (step.action !== 'delete') return replace(path, step.after);
  await unlink(path);
  await removeEmptyFolders(dirname(path), directory);
}

async function writeInventory(directory: string, inventory: Inventory): Promise<void> {
  await replace(join(directory, inventoryFile), encodeInventory(inventory));
}

/** As a whole or not at all: a file half written would be one that somebody edited. */
async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = join(dirname(path), `.cfgwctl-${process.pid}.tmp`);
  await writeFile(beside, text);
  await rename(beside, path);
}

async function removeEmptyFolders(folder: string, directory: string): Promise<void> {
  for (let at = folder; at !== directory && at.startsWith(directory); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      // It holds something else, which is not ours to remove.
      return;
    }
  }
}
