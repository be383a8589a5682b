/** wrk: closed-loop load from one thread over a fixed number of kept connections. */
import { fileURLToPath } from 'node:url';
import { CheckFailed } from '../error.ts';
import type { Workshop } from '../workshop.ts';

/** The same for every contender. */
export const connections = 64;

export interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly method?: 'GET' | 'POST';
  readonly bodyBytes?: number;
  /** Lines `host path`, sent in turn in place of the URL's path. */
  readonly targets?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly requests: number;
  /** Microseconds. */
  readonly p99: number;
}

interface Summary {
  readonly requests: number;
  readonly seconds: number;
  readonly p99: number;
  readonly bad: number;
  readonly broken: number;
  readonly late: number;
}

const script = fileURLToPath(new URL('load.lua', import.meta.url));

/** Throws CheckFailed if any request failed or was answered by something else than 2xx or 3xx. */
export async function wrk(workshop: Workshop, program: string, load: Load): Promise<LoadResult> {
  const { url, seconds, method = 'GET', bodyBytes = 0, targets } = load;
  const flags = ['-t', '1', '-c', String(connections), '-d', String(seconds), '-s', script, url];
  const forScript = ['--', method, String(bodyBytes), ...(targets === undefined ? [] : [targets])];
  const output = await workshop.run(program, [...flags, ...forScript]);
  const line = output.split('\n').find((text) => text.startsWith('{"requests"'));
  if (line === undefined) throw new Error(`wrk printed no summary: ${output}`);
  const { requests, seconds: took, p99, bad, broken, late } = JSON.parse(line) as Summary;
  if (requests === 0 || bad + broken + late > 0)
    throw new CheckFailed(
      `${url}: of ${requests} requests ${bad} had a wrong status, ${broken} failed and ${late} were not answered in time`,
    );
  return { perSecond: requests / took, requests, p99 };
}
