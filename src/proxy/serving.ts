/**
 * A table made ready to serve by: its matcher, and its rules compiled when first matched. A request keeps the serving it began with, so a
 * reload never changes a request halfway.
 */
import type {
  EndpointsDocument,
  FixedAnswer,
  RequestRedirect,
  RoutingTable,
  TableBackend,
  TableRule,
  WeightedBackend,
} from '../table/document.ts';
import { filterChain, joinChains } from './filters/chain.ts';
import type { FilterChain } from './filters/chain.ts';
import type { CompiledTable } from './match/compile.ts';
import type { Matched } from './match/request.ts';
import { weightedChoice } from './upstream/choice.ts';
import type { Choice } from './upstream/choice.ts';
import { strictest } from './upstream/deadline.ts';
import type { Destination } from './upstream/destination.ts';
import { namedDestination, readyAddresses } from './upstream/upstreams.ts';
import type { ReadyAddresses } from './upstream/upstreams.ts';

/** A rule made ready. */
export interface ServingRule {
  readonly source: string;
  readonly answer: FixedAnswer | undefined;
  readonly redirect: RequestRedirect | undefined;
  readonly shares: Choice<ServingShare>;
  /** Milliseconds until the response head; 0 is for ever. */
  readonly deadline: number;
}

/** One weighted part of a rule's traffic, with the filters of rule and backend in their order. */
export interface ServingShare {
  readonly weight: number;
  readonly answer: FixedAnswer | undefined;
  readonly backend: TableBackend | undefined;
  readonly backendId: string;
  readonly named: Destination | undefined;
  readonly filters: FilterChain;
}

export interface Serving {
  readonly table: RoutingTable;
  readonly compiled: CompiledTable;
  rule(matched: Matched): ServingRule;
  /** Replaced alone when only the endpoints document changes. */
  ready: ReadyAddresses;
}

export function createServing(compiled: CompiledTable, endpoints: EndpointsDocument | undefined): Serving {
  const { table } = compiled;
  const rules = new Map<string, ServingRule>();
  return {
    table,
    compiled,
    rule({ ruleId, rule }) {
      let ready = rules.get(ruleId);
      if (!ready) {
        ready = compileRule(rule, table);
        rules.set(ruleId, ready);
      }
      return ready;
    },
    ready: readyAddresses(endpoints, table),
  };
}

function compileRule(rule: TableRule, table: RoutingTable): ServingRule {
  const chain = filterChain(rule.filters);
  const shares = (rule.backends ?? []).map((share) => compileShare(share, chain, table));
  return {
    source: rule.source,
    answer: rule.answer,
    redirect: chain.redirect,
    shares: weightedChoice(shares, (share) => share.weight),
    deadline: strictest(rule.timeouts?.request, rule.timeouts?.backendRequest),
  };
}

function compileShare(share: WeightedBackend, ruleChain: FilterChain, table: RoutingTable): ServingShare {
  const backend = share.backend === undefined ? undefined : table.backends[share.backend];
  return {
    weight: share.weight,
    answer: share.answer,
    backend,
    backendId: share.backend ?? '',
    named: backend === undefined ? undefined : namedDestination(backend),
    filters: joinChains(ruleChain, filterChain(share.filters)),
  };
}
