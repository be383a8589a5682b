/** The cluster's own cgroups. Everything else below /sys/fs/cgroup is the machine's and stays as it is. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = '/sys/fs/cgroup';

/** Makes the cgroup in every hierarchy the kubelet counts in: one with version 2 of cgroups, one for each controller with version 1. */
export function makeCgroups(name: string): void {
  if (existsSync(join(root, 'cgroup.controllers'))) {
    const controllers = readFileSync(join(root, 'cgroup.subtree_control'), 'utf8').trim().split(' ').filter(Boolean);
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, 'cgroup.subtree_control'), controllers.map((each) => `+${each}`).join(' '));
    return;
  }
  for (const hierarchy of hierarchies()) {
    // That of version 2 beside those of version 1 counts nothing; runc makes there what it needs.
    if (existsSync(join(hierarchy, 'tasks'))) mkdirSync(join(hierarchy, name), { recursive: true });
  }
  // A new cpuset has no cores and takes no process.
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const all = join(root, 'cpuset', file);
    if (existsSync(all)) writeFileSync(join(root, 'cpuset', name, file), readFileSync(all));
  }
}

/** Removes it with all below, once the kernel has let go of the last process in it. */
export async function removeCgroups(name: string): Promise<void> {
  const left = (): string[] =>
    [root, ...hierarchies()].map((each) => join(each, name)).filter((each) => existsSync(each));
  for (let tries = 0; left().length > 0; tries++) {
    for (const folder of left()) removeTree(folder);
    if (tries > 100) throw new Error(`the cgroups ${left().join(', ')} still hold processes`);
    if (left().length > 0) await sleep(50);
  }
}

function hierarchies(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(root, entry.name));
}

/** The files in a cgroup go with it; only its folders are removed, the deepest first. */
function removeTree(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) removeTree(join(folder, entry.name));
    rmdirSync(folder);
  } catch {
    // It is busy for some milliseconds after its last process has ended.
  }
}
