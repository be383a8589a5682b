/** Measures a weighted split. */
import type { Agent } from 'node:http';
import { send } from './request.ts';
import type { Request } from './request.ts';

export interface Share {
  readonly backend: string;
  readonly wanted: number;
  readonly got: number;
  /** How many answers it may have and still be as asked. */
  readonly least: number;
  readonly most: number;
}

const sigmas = 6;

/**
 * The bounds around the expected count: six standard deviations of a binomial. A right split leaves them once in
 * five hundred million runs, and with some hundred requests a wrong one hardly ever stays within.
 */
export function bounds(requests: number, share: number): { readonly least: number; readonly most: number } {
  const middle = requests * share;
  const deviation = Math.sqrt(requests * share * (1 - share));
  return {
    least: Math.max(0, Math.ceil(middle - sigmas * deviation)),
    most: Math.min(requests, Math.floor(middle + sigmas * deviation)),
  };
}

export interface Split extends Request {
  readonly shares: Readonly<Record<string, number>>;
}

/** Sends the request `requests` times and counts who answered; an answer of anyone else counts as a share of nothing. */
export async function measureSplit(port: number, split: Split, requests: number, agent: Agent): Promise<Share[]> {
  const counts = new Map<string, number>(Object.keys(split.shares).map((backend) => [backend, 0]));
  const lane = 10;
  for (let sent = 0; sent < requests; sent += lane) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(lane, requests - sent) }, () => send(port, split, agent)),
    );
    for (const { seen, status } of answers) {
      const backend = seen?.backend ?? `an answer ${status} of the proxy`;
      counts.set(backend, (counts.get(backend) ?? 0) + 1);
    }
  }
  return [...counts].map(([backend, got]) => {
    const wanted = split.shares[backend] ?? 0;
    return { backend, wanted, got, ...bounds(requests, wanted) };
  });
}

export function isAsAsked({ got, least, most }: Share): boolean {
  return got >= least && got <= most;
}
