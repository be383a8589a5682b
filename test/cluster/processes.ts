/** What the kernel knows about processes. */
import { readFileSync } from 'node:fs';

/** Whether a process with this number is running; one that ended and waits for its parent is not. */
export function isAlive(pid: number): boolean {
  return fields(pid) !== undefined;
}

/** When a process started, in clock ticks since the boot; with its number it names the process for good. Undefined if it is not running. */
export function startOf(pid: number): number | undefined {
  const found = fields(pid);
  return found === undefined ? undefined : Number(found[19]);
}

/** The fields of /proc/PID/stat that follow the program's name, which may itself hold spaces and brackets. */
function fields(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const found = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return found[0] === 'Z' || found[0] === 'X' ? undefined : found;
  } catch {
    return undefined;
  }
}

/** The children of a process's first thread. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
