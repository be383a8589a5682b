import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory as kubelet mounts a ConfigMap: files are links through `..data`, which is swapped as a whole. */
export interface MountedDirectory {
  readonly path: string;
  /** Swaps in a new version of all files. */
  write(files: ReadonlyMap<string, string | Uint8Array>): Promise<void>;
  remove(): Promise<void>;
}

/** Makes the directory below the system's temporary one. */
export async function mountDirectory(): Promise<MountedDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'cfgwctl-serve-'));
  let version = 0;
  let links = new Set<string>();
  return {
    path,
    async write(files) {
      version += 1;
      const folder = `..${version}`;
      await mkdir(join(path, folder));
      for (const [name, content] of files) await writeFile(join(path, folder, name), content);
      await symlink(folder, join(path, '..next'));
      await rename(join(path, '..next'), join(path, '..data'));
      for (const name of files.keys()) if (!links.has(name)) await symlink(join('..data', name), join(path, name));
      for (const name of links) if (!files.has(name)) await rm(join(path, name));
      links = new Set(files.keys());
      if (version > 1) await rm(join(path, `..${version - 1}`), { recursive: true });
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}
