import { encodeRow, joinHost } from '../../table/encode.ts';
import { index, view } from '../engine/declare.ts';
import { attachments } from './attachment.ts';
import { httpRoutes } from './collections.ts';
import { convertedRules } from './httprouterule.ts';
import { owners } from './isolation.ts';
import type { TableMatch } from './matches.ts';
import { presentOf } from './members.ts';
import { splitPair } from './pairs.ts';
import { compareRanks, matchRank, type Rank } from './precedence.ts';

/** A row of one host, ready to be put among the others. */
export interface RankedRow {
  readonly rank: Rank;
  /** The row as the table writes it. */
  readonly text: string;
  /** Through which the row answers. */
  readonly listeners: readonly string[];
  /** Equal for rows that claim the same requests. */
  readonly claim: string;
}

/** Rows of a route by the host they answer: the result of matches × hosts, narrowed per listener. */
export const routeRows = view('routeRows', (planeAndRoute, read): Readonly<Record<string, readonly RankedRow[]>> => {
  const [plane, route] = splitPair(planeAndRoute);
  const listenersByHost = new Map<string, string[]>();
  for (const attachment of read(attachments, route)) {
    if (attachment.plane !== plane) continue;
    for (const { listener, hosts } of attachment.bindings)
      for (const host of hosts) listenersByHost.set(host, [...(listenersByHost.get(host) ?? []), listener]);
  }
  const created = presentOf(httpRoutes, route, read)?.metadata.creationTimestamp ?? '';
  const rules = read(convertedRules, route);
  const rowsFor = (listeners: readonly string[]): readonly RankedRow[] =>
    rules.flatMap(({ id, matches }, rule) =>
      matches.map((match, position) => ({
        rank: { match: matchRank(match), created, route, position: [rule, position] as const },
        text: encodeRow({ ...match, listeners, rule: id }),
        listeners,
        claim: claimOf(match),
      })),
    );
  return Object.fromEntries(
    [...listenersByHost].map(([host, listeners]) => [host, rowsFor([...new Set(listeners)].toSorted())]),
  );
});

/** Two matches are one claim if they hold for the same requests by the letter: the order of conditions does not count. */
function claimOf({ path, method, headers = [], queryParams = [] }: TableMatch): string {
  const sorted = (values: readonly { readonly name: string }[]): string[] =>
    values.map((each) => JSON.stringify(each)).toSorted();
  return JSON.stringify([path.type, path.value, method ?? '', sorted(headers), sorted(queryParams)]);
}

/** HTTPRoutes by plane and host, `<plane> <host>`: the routes that meet there. */
export const routesByHost = index('routesByHost', httpRoutes, (key, read) =>
  read(attachments, key).flatMap(({ plane, bindings }) =>
    plane === undefined || !read(hasRows, key)
      ? []
      : bindings.flatMap(({ hosts }) => hosts.map((host) => `${plane} ${host}`)),
  ),
);

/** Whether any rule of a route can match at all. */
const hasRows = view('hasRows', (route, read): boolean =>
  read(convertedRules, route).some(({ matches }) => matches.length > 0),
);

/** Hosts by the plane that serves them: the members are `<plane> <host>`. */
export const hostsByPlane = index('hostsByPlane', routesByHost, (planeAndHost) => [splitPair(planeAndHost)[0]]);

/** A row that never answers, since a better one claims the same requests. */
export interface ShadowedRow {
  readonly route: string;
  readonly rule: number;
  readonly match: number;
  readonly by: { readonly route: string; readonly rule: number };
  readonly why: 'age' | 'name';
}

/** All rows of a host in rank order, as the text of the table, and those of them that are shadowed. */
export const hostBucket = view(
  'hostBucket',
  (planeAndHost, read): { text: string; shadowed: readonly ShadowedRow[] } => {
    const [plane, host] = splitPair(planeAndHost);
    const rows = read(routesByHost, planeAndHost)
      .flatMap((route) => read(routeRows, `${plane} ${route}`)[host] ?? [])
      .toSorted((a, b) => compareRanks(a.rank, b.rank));
    return {
      text: joinHost(
        host,
        rows.map(({ text }) => text),
      ),
      shadowed: shadowedAmong(rows, read(owners, planeAndHost)),
    };
  },
);

/**
 * Seed, "RouteShadowed": a claim that another route of higher precedence holds exactly. Rows of one route do not count, nor does a
 * row whose listeners leave the host to a more specific one: it never answers there, whoever else does.
 */
function shadowedAmong(all: readonly RankedRow[], owning: readonly string[]): readonly ShadowedRow[] {
  const rows = all.filter(({ listeners }) => listeners.some((id) => owning.includes(id)));
  const holders = new Map<string, RankedRow>();
  const shadowed: ShadowedRow[] = [];
  for (const row of rows) {
    const holder = holders.get(row.claim);
    if (holder === undefined) holders.set(row.claim, row);
    else if (holder.rank.route !== row.rank.route)
      shadowed.push({
        route: row.rank.route,
        rule: row.rank.position[0],
        match: row.rank.position[1],
        by: { route: holder.rank.route, rule: holder.rank.position[0] },
        why: holder.rank.created === row.rank.created ? 'name' : 'age',
      });
  }
  return shadowed;
}

/** Hosts, as `<plane> <host>`, by the routes that are shadowed there. */
export const shadowsByRoute = index('shadowsByRoute', routesByHost, (planeAndHost, read) => [
  ...new Set(read(hostBucket, planeAndHost).shadowed.map(({ route }) => route)),
]);
