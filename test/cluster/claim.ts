/**
 * Who has which number. A claim is a folder with a note that names the owner and the first process of the node, each with the time it started,
 * so that a number the kernel gave to another process since is never taken for the old one.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeCgroups } from './cgroups.ts';
import { attempt } from './command.ts';
import { highestNumber, placeOf } from './place.ts';
import type { Place } from './place.ts';
import { startOf } from './processes.ts';

interface Process {
  readonly pid: number;
  readonly start: number;
}

/** What the note says. */
export interface Claim {
  readonly owner: Process;
  /** Whether the cluster goes on after its owner has ended. */
  readonly outlives: boolean;
  /** The first process of the node, and the one that watches over it; once there are. */
  readonly init?: Process;
  readonly keeper?: Process;
  /** Whether everything is up. */
  readonly ready?: boolean;
}

const noteOf = ({ folder }: Place): string => join(folder, 'claim.json');

/** A process as a note names it. Throws if it is not running. */
export function named(pid: number): Process {
  const start = startOf(pid);
  if (start === undefined) throw new Error(`process ${pid} has ended`);
  return { pid, start };
}

const isRunning = (process: Process | undefined): boolean =>
  process !== undefined && startOf(process.pid) === process.start;

/** What is written about a number; undefined if it is free or its note is not yet written. */
export function readClaim(place: Place): Claim | undefined {
  try {
    return JSON.parse(readFileSync(noteOf(place), 'utf8')) as Claim;
  } catch {
    return undefined;
  }
}

/** Adds to the note. */
export function note(place: Place, claim: Claim): void {
  writeFileSync(noteOf(place), JSON.stringify(claim));
}

/** Whether anything of a cluster is there, alive or not. */
export function isPresent({ folder }: Place): boolean {
  return statSync(folder, { throwIfNoEntry: false }) !== undefined;
}

/** Whether somebody has this number: a cluster is running or being started. */
export function isTaken(place: Place): boolean {
  const claim = readClaim(place);
  if (claim === undefined) return isFresh(place.folder);
  if (isRunning(claim.owner)) return claim.init === undefined || isRunning(claim.init);
  // Without its owner it goes on only if it was meant to, and was all up.
  return isRunning(claim.init) && claim.outlives && claim.ready === true;
}

/** Whether the folder is so new that its note may be about to be written. */
function isFresh(folder: string): boolean {
  const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made < 5000;
}

/** Takes a number, the first free one from `from` on if it is not named; what a killed run left there is cleared away. Throws if it is taken. */
export async function claim(number: number | undefined, outlives: boolean, from = 2): Promise<Place> {
  const range = Array.from({ length: highestNumber - from + 1 }, (_, at) => from + at);
  for (const candidate of number === undefined ? range : [number]) {
    const place = placeOf(candidate);
    if (isTaken(place)) continue;
    await clear(place);
    if (!tryMake(place.folder)) continue;
    note(place, { owner: named(process.pid), outlives });
    return place;
  }
  throw new Error(
    number === undefined ? 'every number of a cluster is taken' : `cluster ${number} is running already; end it first`,
  );
}

function tryMake(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o711 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Ends the cluster of a number, whoever started it, and removes all it left: with the node's first process every process, mount, network and
 * firewall rule in its namespaces goes. Does nothing where there is none.
 */
export async function clear(place: Place): Promise<void> {
  const { init, keeper } = readClaim(place) ?? {};
  for (const each of [init, keeper]) if (each !== undefined) await end(each);
  await attempt('ip', ['link', 'delete', place.link]);
  await removeCgroups(place.cgroup);
  rmSync(place.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function end(process: Process): Promise<void> {
  if (isRunning(process)) globalThis.process.kill(process.pid, 'SIGKILL');
  for (let tries = 0; isRunning(process); tries++) {
    if (tries > 400) throw new Error(`process ${process.pid} does not end`);
    await sleep(25);
  }
}
