import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Milliseconds without a further change before a change counts: an editor writes a file in several steps. */
const quietMs = 80;
/** Milliseconds between calls where the file system tells nothing, as on a network mount. */
const pollMs = 2000;

/** Calls `changed` after files below the paths were touched. Returns the function that ends it. */
export async function watchPaths(paths: readonly string[], changed: () => void): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, quietMs);
  };
  const watchers: FSWatcher[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) continue;
    // The folder of a file is watched: an editor replaces the file, and a watch on it would see the old one.
    const watched = found.isDirectory() ? path : dirname(path);
    watchers.push(watch(watched, { recursive: found.isDirectory() }, soon).on('error', soon));
  }
  const poll = setInterval(changed, pollMs);
  return () => {
    clearTimeout(timer);
    clearInterval(poll);
    for (const watcher of watchers) watcher.close();
  };
}
