/** A Cloudflare API on a port of this machine. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerControl, controlPrefix } from './control.ts';
import { envelope, refused } from './envelope.ts';
import type { Answer } from './envelope.ts';
import { createFaults } from './faults.ts';
import type { Fault, Faults } from './faults.ts';
import { createLimiter } from './ratelimit.ts';
import type { Limiter, RateLimit } from './ratelimit.ts';
import type { Call } from './request.ts';
import { routeOf } from './routes.ts';
import { emptyState } from './state.ts';
import type { State, ZoneGiven } from './state.ts';

export interface Options {
  readonly zones?: readonly ZoneGiven[];
  /** 0 or left out: any free port. */
  readonly port?: number;
  /** Address to listen on, loopback when left out. */
  readonly host?: string;
  /** Tokens that are answered 401; every other is good. */
  readonly refusedTokens?: readonly string[];
  /** Accounts that are answered 403; every other exists. */
  readonly refusedAccounts?: readonly string[];
  /** None when left out. */
  readonly rateLimit?: RateLimit;
  /** The clock of the rate limit, in milliseconds. */
  readonly now?: () => number;
}

export interface CloudflareApi {
  /** What a client takes as base URL. */
  readonly baseUrl: string;
  readonly state: State;
  readonly faults: Faults;
  /** All calls since the start or the last `forget`. */
  calls(): readonly Call[];
  forget(): void;
  /** The calls that are no reads. */
  writes(): readonly Call[];
  refuseToken(token: string): void;
  acceptToken(token: string): void;
  close(): Promise<void>;
}

/** Where the real API has its root. */
const root = '/client/v4';

interface World {
  readonly state: State;
  readonly faults: Faults;
  readonly log: Call[];
  readonly refusedTokens: Set<string>;
  readonly refusedAccounts: ReadonlySet<string>;
  readonly limiter: Limiter | undefined;
}

export async function startCloudflareApi(options: Options = {}): Promise<CloudflareApi> {
  const world: World = {
    state: emptyState(options.zones ?? []),
    faults: createFaults(),
    log: [],
    refusedTokens: new Set(options.refusedTokens),
    refusedAccounts: new Set(options.refusedAccounts),
    limiter: options.rateLimit === undefined ? undefined : createLimiter(options.rateLimit, options.now),
  };
  const server = createServer((request, response) => {
    answer(world, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${host}:${port}${root}`,
    state: world.state,
    faults: world.faults,
    calls: () => world.log,
    forget: () => world.log.splice(0),
    writes: () => world.log.filter(({ method }) => method !== 'GET'),
    refuseToken: (token) => world.refusedTokens.add(token),
    acceptToken: (token) => world.refusedTokens.delete(token),
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

async function answer(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://api');
  const method = request.method ?? '';
  const body = await readBody(request);
  if (url.pathname.startsWith(controlPrefix)) {
    answerControl(world, { method, path: url.pathname, body, response });
    return;
  }
  const path = url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : url.pathname;
  const token = (request.headers.authorization ?? '').replace(/^Bearer /, '');
  const query = url.search.slice(1);
  const fault = world.faults.take(method, path, query) ?? {};
  // In the log from the moment it arrives: the client may have gone before it is answered.
  const call = { method, path, query, body: parsed(body), token, headers: request.headers, status: 0 };
  world.log.push(call);
  if (fault.delay !== undefined) await sleep(fault.delay, undefined, { ref: false });
  const answered = underFault(fault, () => decide(world, { method, path, url, body, token }));
  call.status = answered.status;
  if (answered === cut) request.socket.destroy();
  else send(response, answered, fault);
}

/** A fault may keep the call from having its effect, or only its answer from arriving. */
function underFault(fault: Fault, decided: () => Answer): Answer {
  if (fault.reset === 'before') return cut;
  const result = instead(fault) ?? decided();
  return fault.reset === 'after' ? cut : result;
}

/** In place of an answer: the connection ends. */
const cut: Answer = { status: 0, result: null, errors: [] };

function send(response: ServerResponse, answered: Answer, fault: Fault): void {
  const headers = { 'content-type': 'application/json', ...answered.headers, ...fault.headers };
  response.writeHead(answered.status, headers).end(fault.body ?? envelope(answered));
}

/** The answer a fault gives in place of the real one; a fault that only delays or cuts gives none. */
function instead(fault: Fault): Answer | undefined {
  if (fault === undefined || (fault.status === undefined && fault.body === undefined && fault.errors === undefined))
    return undefined;
  const status = fault.status ?? 200;
  const errors = fault.errors ?? (status >= 400 ? [{ code: 10_001, message: `made to fail with ${status}` }] : []);
  return { status, result: null, errors };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly body: string;
  readonly token: string;
}

function decide(world: World, { method, path, url, body, token }: Asked): Answer {
  if (token === '') return refused(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers');
  const wait = world.limiter?.refuse(token);
  if (wait !== undefined) {
    const text =
      'More than 1200 requests per 300 seconds reached. Please wait and consider throttling your request speed';
    return { ...refused(429, 10_013, text), headers: { 'retry-after': String(wait) } };
  }
  if (world.refusedTokens.has(token)) return refused(401, 10_000, 'Authentication error');
  const route = routeOf(method, path);
  if (route === undefined) return refused(404, 7000, 'No route for that URI');
  if (world.refusedAccounts.has(route.params.account ?? '')) return refused(403, 10_000, 'Authentication error');
  const value = parsed(body);
  if (body !== '' && value === undefined) return refused(400, 6003, 'Invalid request headers or body: not JSON');
  return route.handler(world.state, { method, path, params: route.params, query: url.searchParams, body: value });
}

function parsed(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
