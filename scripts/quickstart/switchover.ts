/** Edits a route while requests run, and tells when the answer changed and whether any request failed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './request.ts';
import type { Request } from './request.ts';

export interface Switchover {
  /** From the file written to the first answer by the new rule, in milliseconds; none if it never came. */
  readonly took?: number;
  readonly requests: number;
  /** Requests that failed, or were answered by anyone but the two, or by the old one after the new one had answered. */
  readonly wrong: readonly string[];
}

export interface Change {
  readonly port: number;
  readonly request: Request;
  readonly before: string;
  readonly after: string;
  /** Writes the file. */
  readonly edit: () => void;
  readonly signal: AbortSignal;
}

const lanes = 4;
const pause = 4;
const settled = 500;
const patience = 30_000;

/** Sends requests in several lanes from before the edit until half a second after the answer changed. */
export async function switchOver({ port, request, before, after, edit, signal }: Change): Promise<Switchover> {
  const agent = new Agent({ keepAlive: true });
  const wrong: string[] = [];
  let requests = 0;
  let edited = Infinity;
  let changed = Infinity;
  let end = Infinity;
  const once = async (): Promise<void> => {
    const began = performance.now();
    requests += 1;
    const got = await send(port, request, agent).then(
      ({ status, seen }) => (status === 200 && seen !== undefined ? seen.backend : `an answer ${status} of the proxy`),
      (error: unknown) => `an error: ${String(error)}`,
    );
    const now = performance.now();
    if (got === after && changed === Infinity) {
      changed = now;
      end = now + settled;
    }
    // What began before the change may still end on the old table.
    const isRight = got === after ? now >= edited : got === before && began <= changed;
    if (!isRight) wrong.push(`request ${requests}: ${got}`);
  };
  const lane = async (): Promise<void> => {
    while (performance.now() < end && !signal.aborted) {
      await once();
      await sleep(pause);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, lane));
  await sleep(settled);
  edited = performance.now();
  end = edited + patience;
  edit();
  await running;
  agent.destroy();
  return { requests, wrong, ...(changed === Infinity ? {} : { took: changed - edited }) };
}

/** Replaces the one place where a file says `from`. Throws if it is not there exactly once. */
export function replaceInFile(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  const places = text.split(from).length - 1;
  if (places !== 1) throw new Error(`${path} says "${from}" ${places} times; it should be there once`);
  writeFileSync(path, text.replace(from, to));
}
