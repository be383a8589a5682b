/** The programs that are Debian's: what each is for, and what to do if one is missing. */
import { attempt, find } from '../command.ts';
import type { Progress } from './cache.ts';

/** Debian package by the program it brings. */
const packages: Readonly<Record<string, string>> = {
  runc: 'runc',
  nft: 'nftables',
  iptables: 'iptables',
  conntrack: 'conntrack',
  ip: 'iproute2',
  mount: 'mount',
  unshare: 'util-linux',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  buildah: 'buildah',
  mmdebstrap: 'mmdebstrap',
};

/** What `cluster` needs of them; the image of ours is built with the other two. */
const forCluster = Object.keys(packages).filter((program) => !['buildah', 'mmdebstrap'].includes(program));

/** Why a cluster cannot run on this machine, as a sentence; undefined if it can, once its packages are installed. */
export function obstacle(): string | undefined {
  if (process.platform !== 'linux') return `a cluster needs Linux; this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'a cluster makes namespaces, links and cgroups of its own and needs root for it';
  return undefined;
}

/** Sees to it that the programs are there: installs what is missing. Throws with a sentence that names the packages where that is impossible. */
export async function ensurePrograms(progress: Progress, purpose: 'cluster' | 'image' = 'cluster'): Promise<void> {
  const needed = purpose === 'cluster' ? forCluster : Object.keys(packages);
  const missing = new Set(
    needed.filter((program) => find(program) === undefined).map((program) => packages[program] ?? program),
  );
  if (missing.size === 0) return;
  const names = [...missing].join(' ');
  const sentence = `the cluster needs programs this machine lacks; install them with: apt-get install -y --no-install-recommends ${names}`;
  const apt = find('apt-get');
  if (apt === undefined || process.getuid?.() !== 0) throw new Error(sentence);
  progress(`installing ${names}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '--no-install-recommends', ...missing];
  let ended = await attempt(apt, install, { env });
  if (ended.code !== 0) {
    await attempt(apt, ['update'], { env });
    ended = await attempt(apt, install, { env });
  }
  if (ended.code !== 0) throw new Error(`${sentence} (tried, and it ended with ${ended.code}: ${ended.stderr.trim()})`);
}
