/** What went wrong with a call to Cloudflare, as a value: whether waiting helps, until when, and the sentence for people. */
import { APIConnectionTimeoutError, APIError } from 'cloudflare/error';

export type Reason =
  /** 429, or our own budget is used up: no call is made before `notBefore`. */
  | 'RateLimited'
  /** No answer: connection refused or cut, time-out. */
  | 'Unreachable'
  /** 5xx. */
  | 'ServerError'
  /** An answer that is not the API's: no JSON, no envelope, half a list. */
  | 'BadAnswer'
  /** 401 or 403. An outage, not a refusal of what the user wrote: the seed, "A dedicated Gateway waits for Cloudflare". */
  | 'CredentialRefused'
  | 'NotFound'
  /** True in a moment: the tunnel still has connections, the name was taken in between. */
  | 'Busy'
  /** The hostname has a record that is not ours. */
  | 'Occupied'
  /** The API says that what was sent is wrong. */
  | 'Invalid'
  /** A tunnel of our name that somebody else manages. */
  | 'NotOurs'
  /** The operator is stopping, or is no longer the leader. */
  | 'Stopped'
  /** A defect of ours or of the SDK: the message has the error's own words. */
  | 'Unexpected';

export interface Problem {
  /** Terminal: asking again unchanged gives the same answer. */
  readonly kind: 'transient' | 'terminal';
  readonly reason: Reason;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** The API's own codes, the inner ones of a chain included. */
  readonly codes: readonly number[];
  /** One sentence for status, event and log. Holds no credential. */
  readonly message: string;
  /** Milliseconds since the epoch before which another call is useless. */
  readonly notBefore?: number;
}

/** The one error that leaves this room. */
export class CloudflareFailure extends Error {
  override readonly name = 'CloudflareFailure';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

export function failure(problem: Omit<Problem, 'codes'> & { readonly codes?: readonly number[] }): CloudflareFailure {
  return new CloudflareFailure({ codes: [], ...problem });
}

const terminalReasons: ReadonlySet<Reason> = new Set(['Occupied', 'Invalid', 'NotOurs']);
/** Codes that say more than the HTTP status they come with. */
const reasonsByCode: ReadonlyMap<number, Reason> = new Map<number, Reason>([
  [1013, 'Busy'],
  [1022, 'Busy'],
  [10_000, 'CredentialRefused'],
  [9109, 'CredentialRefused'],
  [81_053, 'Occupied'],
  [81_054, 'Occupied'],
  [81_056, 'Occupied'],
  [81_057, 'Occupied'],
]);

/** An error of any kind as a problem. `doing` completes "Cloudflare answered … when asked to"; `secret` is cut out of every text. */
export function problemOf(error: unknown, doing: string, secret: string): Problem {
  const inner = innermost(error);
  if (inner instanceof CloudflareFailure) return inner.problem;
  if (inner instanceof APIError && inner.status !== undefined) return answered(inner, doing, secret);
  if (!(inner instanceof APIError)) {
    const text = String(inner).replaceAll(secret, '[token]');
    return problem(
      'Unexpected',
      `something went wrong that is not Cloudflare's when it was asked to ${doing}: ${text}`,
    );
  }
  const how = inner instanceof APIConnectionTimeoutError ? 'did not answer in time' : 'could not be reached';
  return problem('Unreachable', `the Cloudflare API ${how} when asked to ${doing}; it is tried again`);
}

/** The SDK wraps what its fetch throws in a connection error; what was thrown is what we want to know. */
function innermost(error: unknown): unknown {
  return error instanceof APIError && error.cause instanceof CloudflareFailure ? error.cause : error;
}

function answered(error: APIError, doing: string, secret: string): Problem {
  const status = Number(error.status);
  const { codes, texts } = itemsOf(error);
  const reason = reasonOf(status, codes);
  const said = texts.length === 0 ? '' : `: ${texts.join('; ').replaceAll(secret, '[token]')}`;
  return {
    ...problem(reason, `Cloudflare answered ${status} when asked to ${doing}${said}${advice(reason)}`),
    status,
    codes,
  };
}

function reasonOf(status: number, codes: readonly number[]): Reason {
  if (status === 429) return 'RateLimited';
  if (status >= 500) return 'ServerError';
  for (const code of codes) {
    const known = reasonsByCode.get(code);
    if (known !== undefined) return known;
  }
  if (status === 401 || status === 403) return 'CredentialRefused';
  if (status === 404) return 'NotFound';
  return status === 408 || status === 409 ? 'Busy' : 'Invalid';
}

function advice(reason: Reason): string {
  if (reason !== 'CredentialRefused') return '';
  return '; the API token needs "Cloudflare Tunnel: Edit" on the account, and "DNS: Edit" and "Zone: Read" on the zones';
}

function problem(reason: Reason, message: string): Problem {
  return { kind: terminalReasons.has(reason) ? 'terminal' : 'transient', reason, codes: [], message };
}

interface Item {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly error_chain?: readonly Item[];
}

/** Codes and texts of the envelope's errors. A DNS validation error has the one that matters inside the other. */
function itemsOf(error: APIError): { codes: number[]; texts: string[] } {
  const items = Array.isArray(error.errors) ? (error.errors as readonly Item[]) : [];
  const all = items.flatMap((item) => [item, ...(item.error_chain ?? [])]);
  return {
    codes: all.flatMap(({ code }) => (typeof code === 'number' ? [code] : [])),
    texts: all.flatMap(({ code, message }) => (typeof message === 'string' ? [`${message} (${String(code)})`] : [])),
  };
}
