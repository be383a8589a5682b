/**
 * A table of 10,000 rules as a large company would have it, and requests for it. Of each host's rules 60 % are prefixes, 30 % exact paths
 * and 10 % regular expressions, half of which begin like the prefixes of that host and so cannot be told apart by their beginning.
 * Rows are ranked as the rules would: exact paths, regular expressions, prefixes, longer before shorter.
 */
import type { PathMatch, RoutingTable, TableBackend, TableFilter, TableRow } from '../../../src/table/document.ts';

export const ruleCount = 10_000;
/** Ids of what is measured, with the number of hosts the rules are spread over. */
export const shapes = [
  { suffix: '10k', hosts: 1000 },
  { suffix: '10k-10hosts', hosts: 10 },
] as const;

/** A request, and the number of the rule that must answer it: none is a 404. */
export interface Target {
  readonly host: string;
  readonly path: string;
  readonly rule: number | undefined;
}

export interface RuleTable {
  readonly table: RoutingTable;
  /** Evenly over the rules, with one in ten that no rule answers. */
  readonly targets: readonly Target[];
}

export interface RuleTableOptions {
  readonly hosts: number;
  /** Even and odd versions differ in every rule, in every pattern, and in the backend of every rule. */
  readonly version?: number;
  readonly backends?: Readonly<Record<string, TableBackend>>;
  /** Filters of each rule. */
  readonly filters?: (rule: number) => readonly TableFilter[];
}

const listener = 'infra/web/http';
const nouns = ['orders', 'users', 'carts', 'invoices', 'search', 'media', 'reports', 'teams', 'events', 'billing'];
const nobody: Readonly<Record<string, TableBackend>> = { b0: { host: '127.0.0.1', port: 9, protocol: 'http1' } };

export function ruleTable({ hosts, version = 0, backends = nobody, filters }: RuleTableOptions): RuleTable {
  const names = Array.from({ length: hosts }, (_, index) => `team-${String(index).padStart(4, '0')}.example.com`);
  const rules = Array.from({ length: ruleCount }, (_, number) => ({
    number,
    id: ruleId(number),
    host: names[number % hosts] ?? '',
    ...pathOf(Math.floor(number / hosts), version),
  }));
  const byHost = Map.groupBy(rules, ({ host }) => host);
  const backendIds = Object.keys(backends);
  return {
    table: {
      schema: '1.0',
      plane: 'infra/web',
      listeners: [{ id: listener, gateway: 'infra/web', protocol: 'HTTP', port: 80 }],
      hosts: names.map((host) => ({
        host,
        rows: (byHost.get(host) ?? [])
          .toSorted((a, b) => compareRank(a.match, b.match))
          .map(({ match, id }): TableRow => ({ path: match, listeners: [listener], rule: id })),
      })),
      rules: Object.fromEntries(
        rules.map(({ number, id }) => [
          id,
          {
            source: `HTTPRoute shop/${id} rule 0`,
            ...(filters && { filters: filters(number) }),
            backends: [{ weight: 1, backend: backendIds[backendOf(number, version, backendIds.length)] ?? '' }],
          },
        ]),
      ),
      backends,
    },
    targets: rules.flatMap(({ number, host, example }): Target[] => [
      { host, path: example, rule: number },
      ...(number % 9 === 0 ? [{ host, path: `/unknown${example}`, rule: undefined }] : []),
    ]),
  };
}

export function ruleId(number: number): string {
  return `shop/r${String(number).padStart(5, '0')}/0`;
}

/** Index of the backend that a rule leads to in a version of the table. */
export function backendOf(rule: number, version: number, backends: number): number {
  return (rule + (version % 2)) % backends;
}

/** The match of the rule at this place among those of its host, and a path that it answers. */
function pathOf(place: number, version: number): { readonly match: PathMatch; readonly example: string } {
  const name = `${nouns[place % nouns.length]}-${place}`;
  const kind = place % 10;
  if (kind < 6) return { match: { type: 'PathPrefix', value: `/api/v1/${name}` }, example: `/api/v1/${name}/items/42` };
  if (kind < 9) return { match: { type: 'Exact', value: `/api/v1/${name}/status` }, example: `/api/v1/${name}/status` };
  const digits = version % 2 === 0 ? '[0-9]+' : '[0-9]{1,9}';
  return Math.floor(place / 10) % 2 === 0
    ? { match: regex(`/files/${name}/${digits}(/.*)?`), example: `/files/${name}/4711/preview` }
    : { match: regex(`/api/v${digits}/${name}(/.*)?`), example: `/api/v2/${name}/items/42` };
}

function regex(value: string): PathMatch {
  return { type: 'RegularExpression', value };
}

const rankOf = { Exact: 0, RegularExpression: 1, PathPrefix: 2 } as const;

function compareRank(a: PathMatch, b: PathMatch): number {
  return rankOf[a.type] - rankOf[b.type] || b.value.length - a.value.length;
}
