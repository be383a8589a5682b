/** The tools of other people: found, or installed from Debian where that is possible. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Missing } from './error.ts';

/** Debian package by command. */
const packages = { nginx: 'nginx-light', wrk: 'wrk', go: 'golang-go', taskset: 'util-linux' } as const;

/** Where these are beside the PATH: administrators' tools, and Go as its own archive installs it. */
const usualPlaces = ['/usr/sbin', '/sbin', '/usr/local/sbin', '/usr/local/go/bin'];

/** Path of a command; installs its Debian package if it is lacking. Throws Missing with the remedy. */
export function tool(command: keyof typeof packages, note: (sentence: string) => void): string {
  const found = find(command);
  if (found !== undefined) return found;
  const name = packages[command];
  const installer = find('apt-get');
  if (process.getuid?.() !== 0 || installer === undefined)
    throw new Missing(`${command} is not installed; install it with: apt-get install -y ${name}`);
  note(`installing ${name}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '--no-install-recommends', name];
  let { status, stderr } = spawnSync(installer, install, { env, encoding: 'utf8' });
  if (status !== 0) {
    spawnSync(installer, ['update'], { env });
    ({ status, stderr } = spawnSync(installer, install, { env, encoding: 'utf8' }));
  }
  const installed = find(command);
  if (status !== 0 || installed === undefined)
    throw new Missing(`${command} is not installed, and apt-get install ${name} failed: ${stderr.trim()}`);
  return installed;
}

function find(command: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...usualPlaces];
  return folders.map((folder) => join(folder, command)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
