/** What a rule must say about each of the three states a fact can be in. */
export interface ReadingCases<T, R> {
  present(value: T): R;
  /** Known not to exist. */
  absent(): R;
  /** Not known: forbidden, not synced yet, not among the files. `why` is a sentence for status and messages. */
  unknown(why: string): R;
}

/**
 * A fact as read: present, absent, or unknown. There is no way to the value but through `when`, so a rule cannot let
 * unknown fall through as absent. Source: DESIGN, "Reading is three-valued from the first day".
 */
export interface Reading<T> {
  when<R>(cases: ReadingCases<T, R>): R;
}

export function present<T>(value: T): Reading<T> {
  return { when: (cases) => cases.present(value) };
}

export const absent: Reading<never> = { when: (cases) => cases.absent() };

export function unknown(why: string): Reading<never> {
  return { when: (cases) => cases.unknown(why) };
}
