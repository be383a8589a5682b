/**
 * The pipeline of one request: gate, match, choice of a backend, filters. It is plain synchronous code that leaves its result in the
 * exchange: a reply of the proxy's own, or a share of the rule and the destination to send to.
 */
import type { Exchange } from './exchange.ts';
import { redirectLocation } from './filters/requestredirect.ts';
import { admit } from './gate/gate.ts';
import { outgoingFields } from './gate/outgoing.ts';
import { asterisk } from './gate/target.ts';
import type { Serving, ServingRule } from './serving.ts';
import { answers, unavailable } from './upstream/answer.ts';
import type { LocalAnswer, Reply } from './upstream/reply.ts';
import { choose } from './upstream/choice.ts';
import type { Random } from './upstream/choice.ts';
import type { RequestRedirect } from '../table/document.ts';

/** What the pipeline stands on. */
export interface Pipeline {
  /** The table in use; `undefined` before the first valid one. */
  serving: Serving | undefined;
  readonly random: Random;
  /** New answers ask clients to close their connection. */
  isDraining: boolean;
}

const noTable = local(answers.noTable);
const noRoute = local(answers.noRoute);
const misdirected = local(answers.misdirected);
const noBackend = local(answers.noBackend);

/** Gate, match and choice. */
export function route(pipeline: Pipeline, exchange: Exchange): void {
  exchange.closes = pipeline.isDraining;
  const refused = admit(exchange);
  if (refused) exchange.reply = { kind: 'refused', refusal: refused };
  else if (exchange.path === asterisk) exchange.reply = { kind: 'asterisk' };
  else if (pipeline.serving) match(pipeline.serving, exchange, pipeline.random);
  else exchange.reply = noTable;
}

function match(serving: Serving, exchange: Exchange, random: Random): void {
  if (exchange.door?.serverName !== undefined && isMisdirected(serving, exchange, exchange.door.serverName)) {
    exchange.reply = misdirected;
    return;
  }
  const matched = serving.compiled.match(exchange);
  exchange.account = exchange.accounts.of(matched?.host);
  if (!matched) {
    exchange.reply = noRoute;
    return;
  }
  exchange.matched = matched;
  const rule = serving.rule(matched);
  if (rule.answer) exchange.reply = local(unavailable(rule.answer.status));
  else if (rule.redirect) exchange.reply = redirectReply(rule.redirect, exchange);
  else pickShare(serving, rule, exchange, random);
}

/**
 * The host belongs to another listener than the name the connection was made for: a client that uses a connection again for another
 * host must make a new one (RFC 9110 §15.5.20; spec, Gateway.listeners). A host that is nobody's is only not found.
 */
function isMisdirected({ compiled }: Serving, { host, door }: Exchange, serverName: string): boolean {
  if (host === serverName) return false;
  const owners = compiled.owners(host, door);
  const named = compiled.owners(serverName, door);
  return owners.size > 0 && ![...owners].some((id) => named.has(id));
}

// The four things a choice stands on have no common owner; an object for them would be made for every request.
function pickShare(serving: Serving, rule: ServingRule, exchange: Exchange, random: Random): void {
  const share = choose(rule.shares, random);
  if (!share) exchange.reply = noBackend;
  else if (share.filters.redirect) exchange.reply = redirectReply(share.filters.redirect, exchange);
  else if (share.answer || !share.named) exchange.reply = local(unavailable(share.answer?.status ?? 500));
  else {
    const ready = serving.ready.get(share.backendId);
    exchange.destination = ready === undefined ? share.named : ready[Math.floor(random() * ready.length)];
    exchange.requestFilters = share.filters.request;
    exchange.responseFilters = share.filters.response;
    exchange.takesUpgrades = share.backend?.websocket === true;
    exchange.deadline = rule.deadline;
    if (!exchange.destination) exchange.reply = local(unavailable(503));
  }
}

/** Makes the request that goes upstream: fields without hop-by-hop ones, then the filters of rule and backend. */
export function prepare(exchange: Exchange): void {
  exchange.fields = outgoingFields(exchange);
  exchange.outHost = exchange.authority;
  exchange.outPath = exchange.path;
  for (const filter of exchange.requestFilters) filter(exchange);
}

function local(answer: LocalAnswer): Reply {
  return { kind: 'local', local: answer };
}

function redirectReply(filter: RequestRedirect, exchange: Exchange): Reply {
  return { kind: 'redirect', status: filter.statusCode, location: redirectLocation(filter, exchange) };
}
