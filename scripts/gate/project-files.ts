import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { run } from './process.ts';
import type { Outcome } from './step.ts';

/** Runs the synthesis and compares every file it manages before and after; compared by content, so it works outside a git checkout as well. */
export async function projectFiles(): Promise<Outcome> {
  const before = managed();
  const listedBefore = await changes();
  const ended = await run(process.execPath, ['.projenrc.ts']);
  if (ended.code !== 0) return { problem: '.projenrc.ts does not run', detail: ended.output };
  const after = managed();
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const listed = await changes();
  if (differing.length > 0)
    return { problem: `run "npx projen" and commit what it writes: ${differing.join(', ')} differ` };
  const fresh = listed.filter((line) => !listedBefore.includes(line));
  return fresh.length === 0 ? {} : { problem: 'the synthesis left the tree changed', detail: fresh.join('\n') };
}

/** The digest of every file projen manages, and of the lock file, by path. */
function managed(): Map<string, string> {
  const list = JSON.parse(readFileSync('.projen/files.json', 'utf8')) as { files: string[] };
  const paths = [...list.files, '.projen/files.json', 'package-lock.json'].filter((path) => existsSync(path));
  return new Map(paths.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}

/** What git lists as changed among the files at the root; others may be at work elsewhere in the tree. */
async function changes(): Promise<string[]> {
  if (!existsSync('.git')) return [];
  const { code, output } = await run('git', ['status', '--porcelain', '--', ':(glob)*', '.projen']);
  return code === 0 ? output.split('\n').filter((line) => line !== '') : [];
}
