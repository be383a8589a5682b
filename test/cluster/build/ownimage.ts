/** The project's own image, from the real Dockerfile; only its base is made here, of the few libraries that Node needs. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../command.ts';
import { controllerSettings } from '../../../src/facts/settings.ts';
import { cached, digestOf } from './cache.ts';
import type { Progress } from './cache.ts';
import { ensurePrograms } from './debian.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const dist = join(root, 'dist');
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

/** The release the published image is based on, and what of it Node is linked with. */
const suite = 'trixie';
const libraries = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1'];

/** Path of the archive of our image, under the name the data planes ask for. It is built anew when a program or the Dockerfile changed. */
export async function ownImage(progress: Progress): Promise<string> {
  await run(process.execPath, ['scripts/image-files.ts', '--arch', architecture], { cwd: root });
  const { proxy: name } = controllerSettings().spec.images;
  const programs = ['operator.mjs', 'proxy.mjs', 'cfgwctl.mjs', 'NOTICE'].map((file) => join(dist, file));
  const digest = digestOf(
    name,
    join(root, 'Dockerfile'),
    join(root, 'LICENSE'),
    readFileSync(join(dist, 'node', architecture, 'integrity'), 'utf8'),
    ...programs,
    [suite, ...libraries].join(),
  );
  const make = (folder: string): Promise<void> => build(folder, name, progress);
  // While the programs are being worked on there is one of 150 MB for each state of them.
  return join(await cached({ name: 'image-own', digest, make, days: 0.05 }, progress), 'image.tar');
}

async function build(folder: string, name: string, progress: Progress): Promise<void> {
  await ensurePrograms(progress, 'image');
  const base = await baseArchive(progress);
  // A store of its own, so that the machine's images and containers are neither used nor changed; and mounts that end with each command.
  const store = join(folder, 'store');
  const places = ['--root', join(store, 'root'), '--runroot', join(store, 'run'), '--storage-driver', 'overlay'];
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  const buildah = (...args: readonly string[]): Promise<string> =>
    run('unshare', ['--mount', 'buildah', ...places, ...args], { cwd: root, env });
  try {
    const container = (await buildah('from', 'scratch')).trim();
    await buildah('add', '--quiet', container, base, '/');
    await buildah('commit', '--quiet', '--rm', container, 'localhost/base');
    const choices = ['BASE=localhost/base', `TARGETARCH=${architecture}`].flatMap((each) => ['--build-arg', each]);
    await buildah('build', '--quiet', ...choices, '--tag', name, '--file', 'Dockerfile', '.');
    await buildah('push', '--quiet', name, `oci-archive:${join(folder, 'image.tar')}:${name}`);
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

/** The root file system of the base: packages unpacked, without their scripts. */
async function baseArchive(progress: Progress): Promise<string> {
  const make = async (folder: string): Promise<void> => {
    const chosen = ['--variant=extract', `--include=${libraries.join()}`];
    await run('mmdebstrap', [...chosen, suite, join(folder, 'base.tar')]);
  };
  const folder = await cached(
    { name: 'image-base', digest: digestOf(suite, ...libraries, process.arch), make },
    progress,
  );
  return join(folder, 'base.tar');
}
