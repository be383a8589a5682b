/**
 * Where the documents come from: a directory as kubelet mounts it (files are links through `..data`, which is swapped as a whole), or one file.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** All files of one version, by name; `single` is the content where the source is one file. */
export interface SourceFiles {
  readonly byName: ReadonlyMap<string, Buffer>;
  readonly single?: Buffer;
}

export interface Source {
  /** The directory whose changes tell of a new version. */
  directory(): Promise<string>;
  /** Changes whenever the files have been replaced or written; cheap enough to be asked often. */
  signature(): Promise<string>;
  /** Reading begins anew when a swap comes in between. Throws ENOENT if there is nothing. */
  read(): Promise<SourceFiles>;
}

const attempts = 5;
const pauseMs = 50;

export function openSource(path: string): Source {
  const layout = async (): Promise<{ directory: string; names: string[] }> => {
    if (!(await stat(path)).isDirectory()) return { directory: dirname(path), names: [basename(path)] };
    const all = await readdir(path);
    return { directory: path, names: all.filter((name) => !name.startsWith('..')).toSorted() };
  };
  const signature = async (): Promise<string> => {
    const { directory, names } = await layout();
    const parts = await Promise.all(
      names.map(async (name) => {
        const { ino, size, mtimeNs } = await stat(join(directory, name), { bigint: true });
        return `${name} ${ino} ${size} ${mtimeNs}`;
      }),
    );
    return parts.join('\n');
  };
  const readOnce = async (): Promise<SourceFiles> => {
    const before = await signature();
    const { directory, names } = await layout();
    const files = await Promise.all(
      names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(directory, name))]),
    );
    if ((await signature()) !== before)
      throw Object.assign(new Error(`${path} changed while it was read`), { code: 'ENOENT' });
    const [first] = files;
    return directory === path || !first ? { byName: new Map(files) } : { byName: new Map(), single: first[1] };
  };
  const directory = async (): Promise<string> =>
    (await stat(path).catch(() => undefined))?.isDirectory() ? path : dirname(path);
  return { directory, signature: () => retried(signature), read: () => retried(readOnce) };
}

/** In the moment of a swap a link points at nothing; a little later it does not. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
