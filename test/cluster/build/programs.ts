/** The programs written in Go: which module pins each, and how they are built. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { find, run } from '../command.ts';
import { cached, digestOf } from './cache.ts';
import type { Progress } from './cache.ts';

/** A module folder, with the programs built from it: name of the program by the path of its main package. */
interface Part {
  readonly folder: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Values stamped into variables of the programs. */
  readonly stamps?: (versions: ReadonlyMap<string, string>) => Readonly<Record<string, string>>;
  /** Folders of a module that are kept beside the programs, by the name they get. */
  readonly keeps?: Readonly<Record<string, { readonly module: string; readonly folder: string }>>;
}

const kubernetes = 'k8s.io/kubernetes';

/** The longest build comes first; those that share a module have one version of everything. */
const parts = {
  kubernetes: {
    folder: './modules/kubernetes/',
    packages: Object.fromEntries(
      ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'].map((name) => [
        `${kubernetes}/cmd/${name}`,
        name,
      ]),
    ),
    stamps: versionStamps,
  },
  etcd: { folder: './modules/etcd/', packages: { 'go.etcd.io/etcd/server/v3': 'etcd' } },
  containerd: {
    folder: './modules/containerd/',
    packages: Object.fromEntries(
      ['containerd', 'containerd-shim-runc-v2', 'ctr'].map((name) => [
        `github.com/containerd/containerd/v2/cmd/${name}`,
        name,
      ]),
    ),
  },
  cni: {
    folder: './modules/cni/',
    packages: Object.fromEntries(
      ['main/bridge', 'main/loopback', 'ipam/host-local'].map((path) => [
        `github.com/containernetworking/plugins/plugins/${path}`,
        path.slice(path.indexOf('/') + 1),
      ]),
    ),
  },
  coredns: { folder: './modules/coredns/', packages: { 'github.com/coredns/coredns': 'coredns' } },
  'gateway-api': {
    folder: './modules/gateway-api/',
    packages: { 'sigs.k8s.io/gateway-api/conformance/echo-basic': 'echo-basic' },
    keeps: { crds: { module: 'sigs.k8s.io/gateway-api', folder: 'config/crd/experimental' } },
  },
  connector: { folder: '../connector/', packages: { '.': 'cloudflared' } },
  pause: { folder: '../pause/', packages: { '.': 'pause' } },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

/** Folder with the programs of a part, built first if the cache lacks them. Throws with a sentence if Go is missing. */
export function programsOf(name: PartName, progress: Progress): Promise<string> {
  const part: Part = parts[name];
  const source = fileURLToPath(new URL(part.folder, import.meta.url));
  const digest = digestOf(source, process.arch, JSON.stringify(part));
  return cached({ name, digest, make: (folder) => build(part, source, folder) }, progress);
}

/** Builds what is lacking of all parts, one after the other: each build uses every core by itself. */
export async function allPrograms(progress: Progress): Promise<void> {
  for (const name of Object.keys(parts) as PartName[]) await programsOf(name, progress);
}

async function build({ packages, stamps, keeps = {} }: Part, source: string, folder: string): Promise<void> {
  const stamped = Object.entries(stamps?.(versionsIn(source)) ?? {}).map(([name, value]) => `-X ${name}=${value}`);
  const flags = ['-trimpath', '-ldflags', ['-s', '-w', ...stamped].join(' ')];
  const [first] = Object.values(packages);
  // Go names each of several programs after the last part of its package's path; a single one is named here.
  const output = Object.keys(packages).length === 1 ? join(folder, String(first)) : `${folder}/`;
  await go(source, ['build', ...flags, '-o', output, ...Object.keys(packages)]);
  for (const [name, kept] of Object.entries(keeps)) {
    const module = (await go(source, ['list', '-m', '-f', '{{.Dir}}', kept.module])).trim();
    cpSync(join(module, kept.folder), join(folder, name), { recursive: true });
  }
}

/** The versions a module folder pins. */
function versionsIn(source: string): ReadonlyMap<string, string> {
  const lines = readFileSync(join(source, 'go.mod'), 'utf8').matchAll(/^\t(\S+) (v\S+)/gm);
  return new Map([...lines].map(([, module, version]) => [String(module), String(version)]));
}

/** Without these the API server says it is of version 0.0.0, and clients refuse it. */
function versionStamps(versions: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const version = versions.get(kubernetes) ?? '';
  const [major = '', minor = ''] = version.slice(1).split('.');
  const base = 'k8s.io/component-base/version';
  return { [`${base}.gitVersion`]: version, [`${base}.gitMajor`]: major, [`${base}.gitMinor`]: minor };
}

/** Runs go in a module's folder and gives what it printed. Throws with a sentence if Go is missing, with its errors if it failed. */
export function go(cwd: string, args: readonly string[]): Promise<string> {
  const command = find('go');
  if (command === undefined)
    throw new Error('the command go is missing: install Go 1.26 or newer, the cluster is built from Go modules');
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-buildvcs=false' };
  return run(command, args, { cwd, env });
}
