/**
 * A request put through the proxy's own gate, matcher and filters without a socket: what `cfgwctl route` tells is what the proxy
 * would do, not what a second program thinks it would.
 */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { createMetrics } from '../observe/metrics.ts';
import { Exchange } from '../proxy/exchange.ts';
import { redirectLocation } from '../proxy/filters/requestredirect.ts';
import { admit } from '../proxy/gate/gate.ts';
import { prepare } from '../proxy/handle.ts';
import { compile } from '../proxy/match/compile.ts';
import { explain, type Explanation } from '../proxy/match/linear.ts';
import { createAccounts } from '../proxy/metrics.ts';
import { authorityOf } from '../proxy/upstream/address.ts';
import { createServing, type Serving, type ServingRule, type ServingShare } from '../proxy/serving.ts';
import { decode } from '../table/decode.ts';
import type { RoutingTable, TableBackend } from '../table/document.ts';
import { decodeEndpoints } from '../table/endpoints.ts';
import { normalPath } from '../table/path.ts';
import type { AskedRequest } from './request.ts';

/** What becomes of a request. */
export type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly why: string }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'backends'; readonly shares: readonly Share[] };

/** One weighted part of a rule's traffic; `percent` is of all requests of the rule. */
export type Share = { readonly weight: number; readonly percent: number } & (Sent | Answered);

/** Sent to a backend. */
export interface Sent {
  /** `Service/<namespace>/<name>/<port>`. */
  readonly backend: string;
  readonly protocol: TableBackend['protocol'];
  readonly websocket: boolean;
  /** `host:port`, one of which is dialled. */
  readonly addresses: readonly string[];
  /** What the backend sees: path with query, and Host. */
  readonly target: string;
  readonly host: string;
  readonly answer?: never;
}

/** Answered by the proxy in place of a backend. */
export interface Answered {
  readonly backend?: string;
  readonly answer: Exclude<Outcome, { kind: 'backends' }>;
}

/** A plane's table and endpoints document, as texts. */
export interface Documents {
  readonly table: string;
  readonly endpoints: string;
}

/** All that one plane makes of a request. */
export interface Rehearsal {
  readonly table: RoutingTable;
  /** Absent where the gate refuses: then nothing is matched. */
  readonly explanation?: Explanation;
  readonly outcome: Outcome;
}

/** Rehearses one request. */
export function rehearse(asked: AskedRequest, { table: text, endpoints }: Documents): Rehearsal {
  const table = decode(text);
  const exchange = exchangeOf(asked);
  const refused = admit(exchange);
  if (refused !== undefined) {
    const why = `the gate refuses it (${refused.reason})${pathProblem(asked)}`;
    return { table, outcome: { kind: 'answer', status: refused.status, why } };
  }
  const explanation = explain(table, exchange);
  const { winner } = explanation;
  if (winner === undefined) return { table, explanation, outcome: noRoute(explanation) };
  exchange.matched = winner;
  const serving = createServing(compile(table), decodeEndpoints(endpoints));
  return { table, explanation, outcome: outcomeOf(serving.rule(winner), serving, exchange) };
}

function exchangeOf({ method, target, rawHeaders }: AskedRequest): Exchange {
  const req = new IncomingMessage(new Socket());
  req.method = method;
  req.url = target;
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  req.rawHeaders = [...rawHeaders];
  return new Exchange(req, undefined, createAccounts(createMetrics({ process: false })));
}

/** The gate's reason is a word for metrics; of a path more can be told. */
function pathProblem({ target }: AskedRequest): string {
  const { refused } = normalPath(target.replace(/\?.*$/s, ''));
  return refused === undefined ? '' : `: ${refused}`;
}

function noRoute({ owners }: Explanation): Outcome {
  const listeners =
    owners.length === 0 ? 'no listener takes this host' : `the host belongs to listener ${owners.join(', ')}`;
  return { kind: 'answer', status: 404, why: `no rule matches; ${listeners}` };
}

function outcomeOf({ answer, redirect, shares }: ServingRule, serving: Serving, exchange: Exchange): Outcome {
  if (answer !== undefined) return { kind: 'answer', ...answer };
  if (redirect !== undefined)
    return { kind: 'redirect', status: redirect.statusCode, location: redirectLocation(redirect, exchange) };
  if (shares.items.length === 0)
    return { kind: 'answer', status: 500, why: 'the rule has no backend that gets a share of the requests' };
  return {
    kind: 'backends',
    shares: shares.items.map((share) => ({
      weight: share.weight,
      percent: (share.weight / shares.total) * 100,
      ...destinationOf(share, serving, exchange),
    })),
  };
}

function destinationOf(share: ServingShare, serving: Serving, exchange: Exchange): Sent | Answered {
  const { redirect, request } = share.filters;
  if (redirect !== undefined) {
    const location = redirectLocation(redirect, exchange);
    return { answer: { kind: 'redirect', status: redirect.statusCode, location } };
  }
  const { answer, backend, backendId } = share;
  if (answer !== undefined || backend === undefined)
    return { answer: { kind: 'answer', ...(answer ?? { status: 500, why: 'the backend is not known' }) } };
  const ready = serving.ready.get(backendId);
  if (ready?.length === 0)
    return { backend: backendId, answer: { kind: 'answer', status: 503, why: 'the backend has no ready endpoint' } };
  exchange.requestFilters = request;
  exchange.isHostRewritten = false;
  prepare(exchange);
  return {
    backend: backendId,
    protocol: backend.protocol,
    websocket: backend.websocket === true,
    addresses: (ready ?? [backend]).map(authorityOf),
    target: `${exchange.outPath}${exchange.search}`,
    host: exchange.outHost,
  };
}
