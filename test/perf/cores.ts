/** Two cores: what is measured has one to itself, load and backends share the other. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Missing } from './error.ts';

export interface Cores {
  readonly measured: number;
  readonly load: number;
}

/** The first two cores this process may use. Throws Missing if there is only one. */
export function twoCores(): Cores {
  const [load, measured] = allowedCores(readFileSync('/proc/self/status', 'utf8'));
  if (load === undefined || measured === undefined)
    throw new Missing('the measurements need two cores: one for what is measured and one for load and backends');
  return { measured, load };
}

/** Keeps this process, and everything it starts without saying otherwise, to the load's core. */
export function stayOn(core: number, taskset: string): void {
  const { status, stderr } = spawnSync(taskset, ['-acp', String(core), String(process.pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Missing(`taskset could not pin this process to core ${core}: ${stderr}`);
}

function allowedCores(status: string): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
