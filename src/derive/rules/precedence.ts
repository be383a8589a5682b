import { compareIds } from '../../table/order.ts';
import type { TableMatch } from './matches.ts';

/** Where a row stands among the rows of its host. */
export interface Rank {
  /** The criteria of the match, smaller first: path type, path length, method, header matches, query matches. */
  readonly match: readonly number[];
  /** creationTimestamp of the route; files may have none, and then come after those that have one. */
  readonly created: string;
  /** `<namespace>/<name>` of the route. */
  readonly route: string;
  /** Position of rule and match in the route. */
  readonly position: readonly [number, number];
}

const pathTypes = ['Exact', 'RegularExpression', 'PathPrefix'];

/** The criteria in the order of the specification, each deciding only where all before it tie. Seed: "Route Conflict Resolution". */
export function matchRank({ path, method, headers, queryParams }: TableMatch): readonly number[] {
  return [
    pathTypes.indexOf(path.type),
    -path.value.length,
    method === undefined ? 1 : 0,
    -(headers?.length ?? 0),
    -(queryParams?.length ?? 0),
  ];
}

/** Spec: the match, then the oldest route, then the route by name, then the order in the route. */
export function compareRanks(a: Rank, b: Rank): number {
  return (
    compareNumbers(a.match, b.match) ||
    compareIds(a.created || '~', b.created || '~') ||
    compareIds(a.route, b.route) ||
    compareNumbers(a.position, b.position)
  );
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
