/** What must be undone at the end of the quickstart, however it ends: processes by their own handle, servers, directories. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Cleanup {
  /** Adds a step; steps run in the opposite order in which they were added. */
  add(step: () => unknown): void;
  /** Makes a directory that is removed in the end. */
  directory(): string;
  /** Undoes everything once; never throws, as nothing more could be done about it. */
  run(): Promise<void>;
}

export function createCleanup(): Cleanup {
  const steps: (() => unknown)[] = [];
  const add = (step: () => unknown): void => void steps.push(step);
  return {
    add,
    directory: () => {
      const path = mkdtempSync(join(tmpdir(), 'cfgwctl-quickstart-'));
      add(() => rmSync(path, { recursive: true, force: true }));
      return path;
    },
    run: async () => {
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        await Promise.resolve()
          .then(step)
          .catch((error: unknown) => console.error(`while tidying up: ${String(error)}`));
      }
    },
  };
}
