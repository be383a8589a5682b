/** Runs the parts of the benchmark: what `npm run bench` starts. */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { stayOn, twoCores } from './cores.ts';
import { CheckFailed, Missing } from './error.ts';
import type { Bench, Part, Row } from './part.ts';
import { parts } from './parts.ts';
import { note, progress, tableOf } from './printing.ts';
import { keep } from './results.ts';
import { tool } from './tools.ts';
import { whenInterrupted } from './interruption.ts';
import { openWorkshop } from './workshop.ts';

const usage = `usage: npm run bench [-- --only ${parts.map(({ name }) => name).join(',')}] [-- --quick] [-- --list]`;
const options = {
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
} as const;

async function main(): Promise<number> {
  const asked = readArguments();
  if (asked === undefined) return 2;
  if (asked.isList) {
    for (const { name, says } of parts) console.log(`${name.padEnd(8)} ${says}`);
    return 0;
  }
  const ran: Part[] = [];
  const rows: Row[] = [];
  try {
    const cores = twoCores();
    stayOn(cores.load, tool('taskset', note));
    note(`load average before: ${loadavg()[0]?.toFixed(2)}; other work on these cores makes the figures worse`);
    for (const part of asked.parts) {
      rows.push(...(await inWorkshop(part, { cores, isQuick: asked.isQuick, progress, note })));
      ran.push(part);
    }
  } catch (error) {
    note(error instanceof CheckFailed || error instanceof Missing ? error.message : String((error as Error).stack));
    return error instanceof Missing ? 2 : 1;
  } finally {
    progress('');
    if (rows.length > 0) console.log(tableOf(rows));
    // Short runs are for trying things out: their figures are not for keeping.
    if (!asked.isQuick) keep(rows, ran, parts);
  }
  return 0;
}

/** Each part starts from nothing and leaves nothing, also when it is interrupted. */
async function inWorkshop(part: Part, rest: Omit<Bench, 'workshop'>): Promise<readonly Row[]> {
  const workshop = openWorkshop();
  const interruption = whenInterrupted(() => workshop.close());
  try {
    return await part.run({ ...rest, workshop });
  } catch (error) {
    // What was interrupted breaks off with errors of its own; the process ends by the interruption.
    if (interruption.happened) await interruption.never;
    throw error;
  } finally {
    interruption.forget();
    await workshop.close();
  }
}

function readArguments(): { parts: readonly Part[]; isQuick: boolean; isList: boolean } | undefined {
  try {
    const { only, quick: isQuick, list: isList } = parseArgs({ options }).values;
    const names = only?.split(',') ?? parts.map(({ name }) => name);
    const unknown = names.filter((name) => !parts.some((part) => part.name === name));
    if (unknown.length > 0) throw new Error(`--only names no part ${unknown.join(', ')}`);
    return { parts: parts.filter(({ name }) => names.includes(name)), isQuick, isList };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    return undefined;
  }
}

process.exitCode = await main();
