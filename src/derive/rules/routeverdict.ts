import { view } from '../engine/declare.ts';
import { pathText } from '../../facts/fieldpath.ts';
import { convertedRules, type ConvertedRule } from './httprouterule.ts';
import type { RuleProblem } from './ruleproblem.ts';
import { no, yes, type Verdict } from './verdict.ts';

/** What a route's rules come to, whatever its parents say. */
export interface RouteVerdict {
  /** Set where nothing of the route can be served: the reason of Accepted=False. */
  readonly refused?: Verdict;
  /** Set where a part of it is not served: PartiallyInvalid. */
  readonly partial?: Verdict;
  readonly resolvedRefs: Verdict;
}

/** Seed, "Unsupported config is surfaced on resource status": whole route, part of it, or a reference. */
export const routeVerdict = view('routeVerdict', (route, read): RouteVerdict => {
  const rules = read(convertedRules, route);
  const problems = rules.flatMap((rule) => rule.problems);
  const references = problems.filter(({ kind }) => kind === 'reference');
  return { ...ofRules(rules), resolvedRefs: resolved(references) };
});

function ofRules(rules: readonly ConvertedRule[]): Pick<RouteVerdict, 'refused' | 'partial'> {
  const dropped = rules.flatMap((rule, index) => {
    const problems = rule.problems.filter(({ kind }) => kind === 'refused' || kind === 'partial');
    return problems.length === 0 ? [] : [{ index, problems }];
  });
  if (dropped.length === 0) return {};
  const sentences = dropped.flatMap(({ problems }) => problems.map(sentence));
  const message = `Dropped Rule(s) ${dropped.map(({ index }) => index).join(', ')}: ${sentences.join('; ')}`;
  const refused = rules.map(({ problems }) => problems.find(({ kind }) => kind === 'refused'));
  if (refused.includes(undefined)) return { partial: yes('UnsupportedValue', message) };
  const isIncompatible = refused.every((problem) => problem?.reason === 'IncompatibleFilters');
  return {
    refused: no(isIncompatible ? 'IncompatibleFilters' : 'UnsupportedValue', `no rule can be served. ${message}`),
  };
}

/** The first reference that failed decides the reason. */
function resolved(references: readonly RuleProblem[]): Verdict {
  const [first] = references;
  if (first === undefined) return yes('ResolvedRefs', 'all references are resolved');
  return no(first.reason, references.map(sentence).join('; '));
}

function sentence({ path, message }: RuleProblem): string {
  return `${pathText(path)}: ${message}`;
}
