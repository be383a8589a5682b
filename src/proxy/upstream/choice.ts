/** A number from 0 up to but not including 1; `Math.random` outside of tests. */
export type Random = () => number;

/** A weighted choice made ready: the sum of the weights up to and including each item. */
export interface Choice<T> {
  readonly items: readonly T[];
  readonly upTo: readonly number[];
  readonly total: number;
}

/** Items of weight 0 get nothing; a choice without any weight chooses nothing. Seed: "Traffic Splitting". */
export function weightedChoice<T>(items: readonly T[], weight: (item: T) => number): Choice<T> {
  const carrying = items.filter((item) => weight(item) > 0);
  let total = 0;
  const upTo = carrying.map((item) => (total += weight(item)));
  return { items: carrying, upTo, total };
}

export function choose<T>(choice: Choice<T>, random: Random): T | undefined {
  if (choice.items.length < 2) return choice.items[0];
  const point = random() * choice.total;
  const index = choice.upTo.findIndex((limit) => point < limit);
  return choice.items[index === -1 ? choice.items.length - 1 : index];
}
