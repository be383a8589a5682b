/** Requests to the API server: one way to send them, with a limit of time on each, and every failure in a sentence. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import { request as send, type Dispatcher } from 'undici';
import { accessTo, type Access } from './credentials.ts';
import { ApiFailure, failureOf, failureWithoutAnswer, isFailure } from './failure.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root of the API server, as `collectionPath` and `objectPath` make it. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** What is asked, as the begin of a sentence: `patch Gateway shop/web`. */
  readonly what: string;
  /** Milliseconds until the whole answer must be there; 15 s if absent. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** A request whose answer goes on: `idle` is the longest silence in milliseconds before it is given up. */
export interface StreamRequest extends Omit<ApiRequest, 'timeout' | 'method' | 'body'> {
  readonly idle: number;
  /** Called when the API server has agreed to it, before the first piece. */
  readonly opened?: () => void;
}

/** One request that was sent, as `rest_client_requests_total` counts it; `code` is the HTTP status or `<error>`. */
export interface SentRequest {
  readonly method: string;
  readonly host: string;
  readonly code: string;
}

export interface KubeClient {
  /** Sends a request; gives the answer's JSON. Throws ApiFailure, or the abort of `signal`. Waits where the API server asks it to (429). */
  send(request: ApiRequest): Promise<unknown>;
  /** Opens an answer that goes on; gives its pieces. Throws as `send` does, at the start or in the middle. */
  stream(request: StreamRequest): AsyncIterable<Buffer>;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface ClientOptions {
  /** Called at once, and again when the credentials were refused; see `loadConfig`. */
  readonly load: () => KubeConfig;
  readonly sent?: (request: SentRequest) => void;
  readonly userAgent?: string;
}

const defaultTimeout = 15_000;
/** How often, and how long in all, one request waits for an API server that is asked too much. */
const patience = { tries: 4, seconds: 10 };

export function createKubeClient({
  load,
  sent = () => {},
  userAgent = 'cloudflare-gateway-controller',
}: ClientOptions): KubeClient {
  const source = accessTo(load);
  const open = async (request: Opened): Promise<Dispatcher.ResponseData> => {
    const first = await once(await source.current(), request);
    if (first.statusCode !== 401) return first;
    await first.body.dump();
    return once(await source.renew(), request);
  };
  const once = async (access: Access, request: Opened): Promise<Dispatcher.ResponseData> => {
    const host = new URL(access.server).host;
    try {
      const answer = await send(access.server + request.path + queryText(request.query), {
        dispatcher: access.dispatcher,
        method: request.method,
        headers: { ...access.headers, ...headersOf(request), 'user-agent': userAgent },
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: request.signal,
        headersTimeout: request.headersTimeout,
        bodyTimeout: request.bodyTimeout,
      });
      sent({ method: request.method, host, code: String(answer.statusCode) });
      return answer;
    } catch (error) {
      sent({ method: request.method, host, code: '<error>' });
      throw error;
    }
  };
  return {
    send: (request) => patiently(request, () => answerOf(request, open)),
    stream: (request) => piecesOf(request, open),
    close: () => source.close(),
  };
}

/** A request with its limits, as the transport takes it. */
interface Opened extends Omit<ApiRequest, 'timeout' | 'signal'> {
  readonly signal: AbortSignal;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

type Open = (request: Opened) => Promise<Dispatcher.ResponseData>;

async function answerOf(request: ApiRequest, open: Open): Promise<unknown> {
  const { timeout = defaultTimeout, signal, what } = request;
  const limit = AbortSignal.timeout(timeout);
  const both = signal === undefined ? limit : AbortSignal.any([signal, limit]);
  try {
    const answer = await open({ ...request, signal: both, headersTimeout: timeout, bodyTimeout: timeout });
    const text = await answer.body.text();
    return judged(what, answer, text);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (limit.aborted)
      throw new ApiFailure('transient', `${what}: no answer from the API server within ${timeout / 1000} s`);
    throw failureWithoutAnswer(what, error);
  }
}

function judged(what: string, { statusCode, headers }: Dispatcher.ResponseData, text: string): unknown {
  const body = jsonOf(text);
  if (statusCode < 200 || statusCode > 299)
    throw failureOf(what, statusCode, body ?? text, headerOf(headers, 'retry-after'));
  if (body === undefined)
    throw new ApiFailure('transient', `${what}: the API server's answer is no JSON`, { code: statusCode });
  return body;
}

async function* piecesOf(request: StreamRequest, open: Open): AsyncGenerator<Buffer> {
  const { idle, signal, what } = request;
  // Ended by whoever stops reading, so that the connection goes with it.
  const end = new AbortController();
  const both = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal]);
  try {
    const answer = await open({ ...request, method: 'GET', signal: both, headersTimeout: idle, bodyTimeout: idle });
    if (answer.statusCode !== 200) judged(what, answer, await answer.body.text());
    request.opened?.();
    for await (const piece of answer.body) yield piece as Buffer;
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw failureWithoutAnswer(what, error);
  } finally {
    end.abort();
  }
}

/** A request that was turned away for load was not carried out, whatever its method, and may be sent again. */
async function patiently<T>({ signal }: ApiRequest, ask: () => Promise<T>): Promise<T> {
  let left = patience.seconds;
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const seconds = isFailure(error, 'tooMany') ? (error.retryAfter ?? 1) : Number.POSITIVE_INFINITY;
      if (tries >= patience.tries || seconds > left) throw error;
      left -= seconds;
      await sleep(seconds * 1000 * (1 + Math.random() / 4), undefined, signal === undefined ? {} : { signal });
    }
  }
}

function headersOf({
  accept = 'application/json',
  body,
  contentType = 'application/json',
}: Opened): Record<string, string> {
  return body === undefined ? { accept } : { accept, 'content-type': contentType };
}

function queryText(query: ApiRequest['query']): string {
  const set = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
