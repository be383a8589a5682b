import type { HttpRouteSpecRules, HttpRouteSpecRulesMatches } from '../../../imports/gateway.networking.k8s.io.ts';
import type { FixedAnswer, RuleTimeouts, TableBackend, TableRule } from '../../table/document.ts';
import { view, type Read } from '../engine/declare.ts';
import { httpRoutes } from './collections.ts';
import { parseDuration } from './duration.ts';
import { tableFilters, type RedirectDefaults } from './filters.ts';
import { tableMatch, type TableMatch } from './matches.ts';
import { presentOf, splitKey } from './members.ts';
import { redirectDefaults } from './redirectdefaults.ts';
import { ruleBackends } from './rulebackends.ts';
import { refusedAt, type RuleProblem } from './ruleproblem.ts';

/** One rule of an HTTPRoute, made ready for the table. */
export interface ConvertedRule {
  /** Id in the routing table: `HTTPRoute/<namespace>/<name>/<index>`. */
  readonly id: string;
  readonly rule: TableRule;
  /** Its matches in their order; none if the rule is dropped. */
  readonly matches: readonly TableMatch[];
  readonly backends: Readonly<Record<string, TableBackend>>;
  readonly problems: readonly RuleProblem[];
  /** Why it cannot be told what the rule does. */
  readonly holds: readonly string[];
  /** Objects taken to exist. */
  readonly assumed: readonly string[];
}

/** Every rule of an HTTPRoute. Spec: HTTPRouteRule. */
export const convertedRules = view('convertedRules', (key, read): readonly ConvertedRule[] => {
  const rules = presentOf(httpRoutes, key, read)?.spec.rules ?? [];
  if (rules.length === 0) return [];
  const defaults = read(redirectDefaults, key);
  return rules.map((rule, index) => convert({ route: key, index, rule, defaults }, read));
});

interface Source {
  readonly route: string;
  readonly index: number;
  readonly rule: HttpRouteSpecRules;
  readonly defaults: RedirectDefaults;
}

function convert(source: Source, read: Read): ConvertedRule {
  const { route, index, rule, defaults } = source;
  const id = `HTTPRoute/${route}/${index}`;
  const name = `HTTPRoute ${route} rule ${index}${rule.name === undefined ? '' : ` (${rule.name})`}`;
  const at = ['spec', 'rules', index] as const;
  const matched = convertMatches(rule, at);
  const weighted = ruleBackends({ namespace: splitKey(route).namespace, index, rule, defaults }, read);
  const { timeouts, problems: unserved } = convertExtras(rule, at);
  const common = { id, backends: weighted.used, holds: weighted.holds, assumed: weighted.assumed };
  const problems = [...matched.problems, ...weighted.problems, ...unserved];
  const refusal = incompatible(rule, at) ?? refusedFilter(rule, at, defaults);
  if (refusal !== undefined) {
    const answer: FixedAnswer = { status: 500, why: refusal.message };
    const rule = { source: name, answer };
    return { ...common, backends: {}, rule, matches: matched.matches, problems: [...problems, refusal] };
  }
  const { filters = [] } = tableFilters(rule.filters, defaults);
  return {
    ...common,
    rule: {
      source: name,
      ...(filters.length === 0 ? {} : { filters }),
      ...(weighted.backends.length === 0 ? {} : { backends: weighted.backends }),
      ...(timeouts === undefined ? {} : { timeouts }),
    },
    matches: matched.matches,
    problems,
  };
}

type Path = readonly (string | number)[];

/** A match that can never hold drops its rule: it could serve nothing (seed, "PartiallyInvalid"). */
function convertMatches(rule: HttpRouteSpecRules, at: Path): Pick<ConvertedRule, 'matches' | 'problems'> {
  const matches: TableMatch[] = [];
  const problems: RuleProblem[] = [];
  for (const [index, match] of matchesOf(rule).entries()) {
    const result = tableMatch(match);
    const where = [...at, 'matches', index];
    if (result.refused !== undefined) {
      const { path, message } = result.refused;
      problems.push({ kind: 'refused', reason: 'UnsupportedValue', path: [...where, ...path], message });
      continue;
    }
    matches.push(result.match);
    for (const { path, message } of result.remarks)
      problems.push({ kind: 'remark', reason: 'HalfAnchoredPattern', path: [...where, ...path], message });
  }
  return { matches: problems.some(({ kind }) => kind === 'refused') ? [] : matches, problems };
}

/** A rule that names no match matches every request. Spec: HTTPRouteRule.matches. */
function matchesOf({ matches = [] }: HttpRouteSpecRules): readonly HttpRouteSpecRulesMatches[] {
  return matches.length === 0 ? [{}] : matches;
}

/** Seed: a redirect and a rewrite in one rule are refused wherever they sit. */
function incompatible(rule: HttpRouteSpecRules, at: Path): RuleProblem | undefined {
  const lists = [rule.filters ?? [], ...(rule.backendRefs ?? []).map(({ filters }) => filters ?? [])];
  const types = new Set(lists.flat().map(({ type }) => type));
  if (!types.has('RequestRedirect') || !types.has('URLRewrite')) return undefined;
  const message =
    'the rule combines RequestRedirect with URLRewrite, which cannot both answer a request; keep one of them';
  return { kind: 'refused', reason: 'IncompatibleFilters', path: [...at, 'filters'], message };
}

function refusedFilter(rule: HttpRouteSpecRules, at: Path, defaults: RedirectDefaults): RuleProblem | undefined {
  const { refused } = tableFilters(rule.filters, defaults);
  return refused === undefined ? undefined : refusedAt([...at, 'filters', refused.index], refused.message, 'refused');
}

/** What stands in a rule beside matches, filters and backends. */
function convertExtras(rule: HttpRouteSpecRules, at: Path): { timeouts?: RuleTimeouts; problems: RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const milliseconds = (field: 'request' | 'backendRequest'): number => {
    const text = rule.timeouts?.[field];
    const parsed = text === undefined ? 0 : parseDuration(text);
    if (parsed === undefined)
      problems.push({
        kind: 'partial',
        reason: 'UnsupportedValue',
        path: [...at, 'timeouts', field],
        message: `timeout "${text}" is no duration such as 10s or 1m30s; the rule is served without it`,
      });
    return parsed ?? 0;
  };
  const request = milliseconds('request');
  const backendRequest = milliseconds('backendRequest');
  for (const field of ['retry', 'sessionPersistence'] as const) {
    if (rule[field] === undefined) continue;
    const message = `${field} is not served by this version; the rule is served without it`;
    problems.push({ kind: 'partial', reason: 'UnsupportedValue', path: [...at, field], message });
  }
  const timeouts = { ...(request === 0 ? {} : { request }), ...(backendRequest === 0 ? {} : { backendRequest }) };
  return { ...(Object.keys(timeouts).length === 0 ? {} : { timeouts }), problems };
}
