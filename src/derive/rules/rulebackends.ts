import type { HttpRouteSpecRules } from '../../../imports/gateway.networking.k8s.io.ts';
import type { TableBackend, WeightedBackend } from '../../table/document.ts';
import type { Read } from '../engine/declare.ts';
import { resolveBackend, type ResolvedBackend } from './backendref.ts';
import { tableFilters, type FilterResult, type RedirectDefaults } from './filters.ts';
import { refusedAt, type RuleProblem } from './ruleproblem.ts';

/** The backendRefs of a rule, and what is to be said of them. */
export interface RuleBackends {
  readonly backends: readonly WeightedBackend[];
  /** The backends sent to, by id. */
  readonly used: Readonly<Record<string, TableBackend>>;
  readonly problems: readonly RuleProblem[];
  /** Why it cannot be told where requests go. */
  readonly holds: readonly string[];
  /** Objects taken to exist. */
  readonly assumed: readonly string[];
}

/** Which rule of which route is looked at. */
export interface RuleSource {
  readonly namespace: string;
  readonly index: number;
  readonly rule: HttpRouteSpecRules;
  readonly defaults: RedirectDefaults;
}

type Ref = NonNullable<HttpRouteSpecRules['backendRefs']>[number];

/** Every backendRef of a rule. An invalid one keeps its share, which is answered 500; one without a share is left out (seed, "Unavailable backends"). */
export function ruleBackends(source: RuleSource, read: Read): RuleBackends {
  const { namespace, index, rule, defaults } = source;
  const refs = (rule.backendRefs ?? []).map((ref, position) => {
    const path = ['spec', 'rules', index, 'backendRefs', position];
    const resolved = resolveBackend(ref, { kind: 'HTTPRoute', namespace }, read);
    const own = tableFilters(ref.filters, defaults);
    const problems = [...problemsOf({ path, resolved, own }), ...handshakeProblems({ source, ref, path, resolved })];
    return { share: shareOf(ref, resolved, own), resolved, problems };
  });
  const used = refs.flatMap(({ share, resolved: { id, backend } }): [string, TableBackend][] =>
    id === undefined || backend === undefined || share?.backend === undefined ? [] : [[id, backend]],
  );
  return {
    backends: refs.flatMap(({ share }) => share ?? []),
    used: Object.fromEntries(used),
    problems: refs.flatMap(({ problems }) => problems),
    holds: refs.flatMap(({ resolved: { hold } }) => hold ?? []),
    assumed: refs.flatMap(({ resolved: { assumed } }) => assumed ?? []),
  };
}

function shareOf(ref: Ref, resolved: ResolvedBackend, own: FilterResult): WeightedBackend | undefined {
  const weight = ref.weight ?? 1;
  if (weight === 0) return undefined;
  if (own.refused !== undefined) return { weight, answer: { status: 500, why: own.refused.message } };
  const { id, answer, hold } = resolved;
  if (id === undefined) return { weight, answer: answer ?? { status: 500, why: hold ?? 'the backend is not known' } };
  return { weight, backend: id, ...(own.filters.length === 0 ? {} : { filters: own.filters }) };
}

interface Judged {
  readonly path: readonly (string | number)[];
  readonly resolved: ResolvedBackend;
  readonly own: FilterResult;
}

function problemsOf({ path, resolved, own }: Judged): RuleProblem[] {
  return [
    ...(resolved.problem === undefined ? [] : [{ kind: 'reference' as const, ...resolved.problem, path }]),
    ...(own.refused === undefined
      ? []
      : [refusedAt([...path, 'filters', own.refused.index], own.refused.message, 'partial')]),
  ];
}

const handshake = ['sec-websocket-accept', 'upgrade', 'connection'];

interface Handshake {
  readonly source: RuleSource;
  readonly ref: Ref;
  readonly path: readonly (string | number)[];
  readonly resolved: ResolvedBackend;
}

/** Seed: "ResponseHeaderModifier MUST preserve WebSocket handshake headers". Served as written, and said. */
function handshakeProblems({ source: { index, rule }, ref, path, resolved }: Handshake): RuleProblem[] {
  if (resolved.backend?.websocket !== true) return [];
  const lists = [
    { at: ['spec', 'rules', index, 'filters'], filters: rule.filters ?? [] },
    { at: [...path, 'filters'], filters: ref.filters ?? [] },
  ];
  return lists.flatMap(({ at, filters }) =>
    filters.flatMap(({ responseHeaderModifier }, position): RuleProblem[] => {
      const removed = (responseHeaderModifier?.remove ?? []).filter((name) => handshake.includes(name.toLowerCase()));
      if (removed.length === 0) return [];
      return [
        {
          kind: 'remark',
          reason: 'ConfigOverridden',
          path: [...at, position, 'responseHeaderModifier', 'remove'],
          message: `removes ${removed.join(', ')}, without which no WebSocket handshake with ${ref.name} succeeds; leave them in`,
        },
      ];
    }),
  );
}
