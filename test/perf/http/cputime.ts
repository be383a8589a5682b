import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of `/proc` are hundredths of a second on every Linux that Node runs on. */
const tickUs = 10_000;

/** Microseconds of processor time, user and system, that a process and its children have used so far. */
export function cpuTime(pid: number): number {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (stat) parents.set(stat.parent, [...(parents.get(stat.parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const member of family) family.push(...(parents.get(member) ?? []));
  return family.reduce((sum, member) => sum + (statOf(member)?.ticks ?? 0) * tickUs, 0);
}

function statOf(pid: number): { parent: number; ticks: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in brackets may hold blanks; after it come state, parent, and as 12th and 13th the two times (proc_pid_stat(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}
