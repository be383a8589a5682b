/** A directory as kubelet mounts a ConfigMap: files are links through `..data`, and a swap replaces that one link. */
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Mount {
  readonly path: string;
  /** Writes the next version beside the present one. Every version has files of the same names. */
  prepare(files: Files): Promise<void>;
  /** Puts the prepared version in place. */
  swap(): Promise<void>;
}

export async function mountAt(path: string, files: Files): Promise<Mount> {
  let version = 0;
  const folderOf = (number: number): string => `..v${number}`;
  const mount: Mount = {
    path,
    async prepare(next) {
      const folder = join(path, folderOf(version + 1));
      await mkdir(folder, { recursive: true });
      for (const [name, content] of Object.entries(next)) await writeFile(join(folder, name), content);
      await symlink(folderOf(version + 1), join(path, '..next'));
    },
    async swap() {
      await rename(join(path, '..next'), join(path, '..data'));
      await rm(join(path, folderOf(version)), { recursive: true, force: true });
      version += 1;
    },
  };
  await mount.prepare(files);
  await mount.swap();
  for (const name of Object.keys(files)) await symlink(join('..data', name), join(path, name));
  return mount;
}
