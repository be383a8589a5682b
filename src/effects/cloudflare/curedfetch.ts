/**
 * The defects of the `cloudflare` SDK 7.3.0 on the wire, cured where it fetches. It otherwise takes 200 with `success: false` or with half an
 * answer for a success and an absent list for an empty one, breaks on an empty body, lets a body that never ends hang for ever (its time-out
 * ends with the fetch, so here the body is read inside), and sends what it finds in the environment (`CLOUDFLARE_API_KEY`,
 * `CLOUDFLARE_CUSTOM_HEADERS`, the day as `api-version`). Its own repeating of POSTs, its pager and its logging are switched off in `client.ts`.
 */
import type { CallBudget } from './budget.ts';
import { failure } from './problem.ts';

export interface FetchSettings {
  readonly budget: CallBudget;
  /** Ends every call under way: the operator stops or loses its lease. */
  readonly signal?: AbortSignal;
  readonly now: () => number;
  /** Told of every call that was made, with the status or 0. */
  readonly onCall?: (call: { readonly method: string; readonly path: string; readonly status: number }) => void;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const sentHeaders = ['authorization', 'content-type', 'accept', 'user-agent'];

export function curedFetch(settings: FetchSettings): Fetch {
  return async (input, init = {}) => {
    settings.budget.take();
    const { method = 'GET', body = null, headers, signal } = init;
    const url = new URL(input instanceof Request ? input.url : input);
    let status = 0;
    try {
      const response = await fetch(url, {
        method,
        body,
        headers: onlyOurs(new Headers(headers)),
        signal: signalOf(settings, signal),
      });
      const text = await response.text();
      ({ status } = response);
      if (status === 429) throw slowedDown(settings, response.headers);
      return judged(method, response, text);
    } catch (error) {
      throw settings.signal?.aborted === true ? stopped() : error;
    } finally {
      settings.onCall?.({ method, path: url.pathname, status });
    }
  };
}

function onlyOurs(headers: Headers): [string, string][] {
  return sentHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

/** A new signal for each call: the SDK would add a listener to ours at every call and never take it away. */
function signalOf({ signal }: FetchSettings, own: AbortSignal | null | undefined): AbortSignal {
  return AbortSignal.any([signal, own].filter((one) => one !== undefined && one !== null));
}

function stopped(): Error {
  const message = 'the controller stops, so Cloudflare is not asked any more';
  return failure({ kind: 'transient', reason: 'Stopped', message });
}

function slowedDown({ budget, now }: FetchSettings, headers: Headers): Error {
  const wait = waitOf(headers, now());
  const notBefore = now() + wait;
  budget.blockUntil(notBefore);
  const message = `Cloudflare answered 429: the API token made too many calls; the next is made in ${Math.ceil(wait / 1000)} s`;
  return failure({ kind: 'transient', reason: 'RateLimited', status: 429, message, notBefore });
}

/** Milliseconds from seconds or a date; a minute where the API says nothing one can read. */
function waitOf(headers: Headers, now: number): number {
  const given = headers.get('retry-after') ?? '';
  const seconds = given === '' ? Number.NaN : Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(given);
  return Number.isNaN(date) ? 60_000 : Math.max(0, date - now);
}

function judged(method: string, response: Response, text: string): Response {
  if (!response.ok) return answer(text, response.status);
  const envelope = envelopeOf(method, text);
  if (envelope.success === false) return answer(text, 400);
  if (method === 'GET' && (envelope.result === null || envelope.result === undefined)) {
    throw badAnswer('the answer holds no result');
  }
  return answer(JSON.stringify(envelope), 200);
}

interface Envelope {
  readonly success?: unknown;
  readonly result?: unknown;
}

function envelopeOf(method: string, text: string): Envelope {
  if (text === '' && method !== 'GET') return { success: true, result: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badAnswer('the answer is not JSON');
  }
  if (typeof value !== 'object' || value === null || typeof (value as Envelope).success !== 'boolean') {
    throw badAnswer("the answer lacks the API's envelope");
  }
  return value;
}

/** The content type is ours to say: the SDK reads anything else as text. */
function answer(text: string, status: number): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

export function badAnswer(what: string): Error {
  const message = `the Cloudflare API gave an answer that cannot be used: ${what}; it is asked again`;
  return failure({ kind: 'transient', reason: 'BadAnswer', message });
}
