import { watch, type FSWatcher } from 'node:fs';
import { glob, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Milliseconds without a further change before a change counts: an editor writes a file in several steps. */
const quietMs = 60;
/** Milliseconds between looks where the file system tells nothing, as on a network mount. */
const pollMs = 1000;

/**
 * Calls `changed` once at the beginning, as a file may have changed since it was read, and then whenever files below the paths did; never
 * while an earlier call runs. Returns the function that ends it.
 */
export async function watchPaths(paths: readonly string[], changed: () => Promise<void>): Promise<() => void> {
  let last: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  const look = (): void => {
    work = work.then(async () => {
      const now = await signature(paths);
      if (now === last) return;
      last = now;
      await changed();
    });
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(look, quietMs);
  };
  const watchers = (await Promise.all(paths.map((path) => watcher(path, soon)))).filter((each) => each !== undefined);
  const poll = setInterval(look, pollMs);
  look();
  return () => {
    clearTimeout(timer);
    clearInterval(poll);
    for (const each of watchers) each.close();
  };
}

/** A watch of a directory; of a file its folder's, since an editor replaces the file and a watch on it would see the old one. */
async function watcher(path: string, soon: () => void): Promise<FSWatcher | undefined> {
  const found = await stat(path).catch(() => undefined);
  const isDirectory = found?.isDirectory() === true;
  try {
    const watching = watch(isDirectory ? path : dirname(path), { recursive: isDirectory }, soon);
    // A watch that ends is no loss: there is the poll.
    return watching.on('error', () => watching.close());
  } catch {
    return undefined;
  }
}

/** Changes whenever a file is written, replaced, added or removed. */
async function signature(paths: readonly string[]): Promise<string> {
  const files = (await Promise.all(paths.map(filesAt))).flat();
  const parts = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file, { bigint: true }).catch(() => undefined);
      return found === undefined ? file : `${file} ${found.ino} ${found.size} ${found.mtimeNs}`;
    }),
  );
  return parts.toSorted().join('\n');
}

async function filesAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true)
    return (await readdir(path, { recursive: true }).catch((): string[] => [])).map((name) => join(path, name));
  if (found !== undefined) return [path];
  const matches: string[] = [];
  for await (const match of glob(path)) matches.push(match);
  return matches;
}
