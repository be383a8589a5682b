/** Temporary folders that name their owner, so that the next run can take away what a killed one left. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './processes.ts';

/** A new folder of this process. */
export function ownFolder(kind: string): string {
  removeOrphans(kind);
  return mkdtempSync(join(tmpdir(), `${kind}-${process.pid}-`));
}

function removeOrphans(kind: string): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(`${kind}-`) ? Number(name.slice(kind.length + 1).split('-')[0]) : Number.NaN;
    // Somebody else may take it away at the same time.
    if (owner > 0 && !isAlive(owner)) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 2 });
  }
}
