import type { FindingCode } from '../../api/findings.ts';
import { splitKey } from './members.ts';
import type { Finding } from '../results.ts';
import { no, notYet, type Verdict } from './verdict.ts';

/** An object, and the field of it that has to be mended. */
export interface Place {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly path?: readonly (string | number)[];
}

/** What stands in the way: the verdict a status carries, and the place where a person mends it. One text for both. */
export interface Problem {
  readonly verdict: Verdict;
  readonly at: Place;
}

/** The object of `kind` with the key `<namespace>/<name>`, or `<name>`. */
export function placeOf(kind: string, key: string, ...path: readonly (string | number)[]): Place {
  const { namespace, name } = splitKey(key);
  return {
    kind,
    ...(namespace === '' ? {} : { namespace }),
    name,
    ...(path.length === 0 ? {} : { path }),
  };
}

/** What takes something down. */
export function problem(at: Place, code: FindingCode, message: string): Problem {
  return { verdict: no(code, message), at };
}

/** What cannot be told yet: nothing is concluded from it. */
export function pending(at: Place, why: string): Problem {
  return { verdict: notYet('Pending', why), at };
}

/** The reasons of problems are finding codes. */
export function findingOf({ verdict, at }: Problem, severity: Finding['severity'] = 'error'): Finding {
  return { code: verdict.reason as FindingCode, severity, ...at, message: verdict.message };
}
