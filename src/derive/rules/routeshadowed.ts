import { view } from '../engine/declare.ts';
import { hostBucket, shadowsByRoute, type ShadowedRow } from './hostrows.ts';
import { splitPair } from './pairs.ts';

/** A claim of a route that a better route holds, and where. */
export interface Shadow extends ShadowedRow {
  readonly plane: string;
  readonly host: string;
}

/** Where a route is shadowed. Reads host buckets only of the hosts where it is. Seed: "cf.k8s.lex.la/RouteShadowed". */
export const routeShadows = view('routeShadows', (route, read): readonly Shadow[] =>
  read(shadowsByRoute, route).flatMap((key) => {
    const [plane, host] = splitPair(key);
    return read(hostBucket, key)
      .shadowed.filter((row) => row.route === route)
      .map((row) => ({ ...row, plane, host }));
  }),
);

/** One sentence about one shadow. */
export function shadowSentence({ host, rule, match, by, why }: Shadow): string {
  const reason = why === 'age' ? 'it is older' : 'its name comes first';
  const where = host === '*' ? 'any host' : `host ${host}`;
  return `rules[${rule}].matches[${match}] never answers for ${where}: HTTPRoute ${by.route} rules[${by.rule}] has the same match and wins, as ${reason}`;
}
