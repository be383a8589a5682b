/**
 * The cache of what takes long to make. It lies outside the work tree, so that a new clone finds it, and every entry is named after a digest
 * of what it was made from, so that an entry is never stale: it is there or it is not.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../processes.ts';

/** Says what is being done; a line each. */
export type Progress = (line: string) => void;

/** Folder of the cache: `CFGW_CLUSTER_CACHE`, else the user's own cache folder. */
export function cacheFolder(): string {
  const own = process.env['CFGW_CLUSTER_CACHE'];
  if (own !== undefined && own !== '') return own;
  const caches = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  return join(caches, 'cloudflare-gateway-controller', 'cluster');
}

/** Short digest of texts and of the contents of files and folders (paths that exist are read, any other text stands for itself). */
export function digestOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) addTo(hash, part);
  return hash.digest('hex').slice(0, 16);
}

function addTo(hash: ReturnType<typeof createHash>, part: string): void {
  const kind = part.startsWith('/') ? statSync(part, { throwIfNoEntry: false }) : undefined;
  if (kind?.isDirectory()) {
    for (const name of readdirSync(part).toSorted()) {
      hash.update(`${name}\0`);
      addTo(hash, join(part, name));
    }
  } else {
    hash.update(kind?.isFile() ? readFileSync(part) : part).update('\0');
  }
}

interface Entry {
  /** What it is called in the progress lines, and the beginning of its name in the cache. */
  readonly name: string;
  readonly digest: string;
  /** Fills the folder it is given. */
  readonly make: (folder: string) => void | Promise<void>;
  /** Days after which one that nobody used is removed when another of its name is made; 14 if absent. */
  readonly days?: number;
}

/**
 * Folder of an entry; made first if the cache lacks it. An entry appears whole or not at all, and of two runs that lack the same entry one makes
 * it while the other waits.
 */
export async function cached({ name, digest, make, days = 14 }: Entry, progress: Progress): Promise<string> {
  const folder = join(cacheFolder(), `${name}-${digest}`);
  if (existsSync(folder)) return used(folder);
  mkdirSync(cacheFolder(), { recursive: true });
  const unlock = await lock(`${folder}.lock`, () => progress(`${name}: another run is making it, waiting`));
  try {
    if (existsSync(folder)) return used(folder);
    removeUnused(name, days);
    const unfinished = `${folder}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    const start = performance.now();
    progress(`${name}: making it`);
    await make(unfinished);
    renameSync(unfinished, folder);
    progress(`${name}: made in ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return folder;
  } finally {
    unlock();
  }
}

/** Marks an entry as used now. */
function used(folder: string): string {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // It belongs to somebody else, who lets others read it.
  }
  return folder;
}

function removeUnused(name: string, days: number): void {
  for (const other of readdirSync(cacheFolder())) {
    const path = join(cacheFolder(), other);
    if (!other.startsWith(`${name}-`) || !/^[0-9a-f]{16}$/.test(other.slice(name.length + 1))) continue;
    const last = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - last > days * 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}

/** Waits until this process alone holds the lock. A lock whose owner died is taken over. */
async function lock(path: string, onWait: () => void): Promise<() => void> {
  for (let told = false; !tryLock(path); await sleep(200)) {
    if (!told) onWait();
    told = true;
  }
  return () => rmSync(path, { force: true });
}

function tryLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
    // An empty file belongs to an owner that is about to write its number.
    if (owner > 0 && !isAlive(owner)) rmSync(path, { force: true });
    return false;
  }
}
