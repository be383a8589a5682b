import type { Row, Unit } from './part.ts';

/** Median, least and greatest of the rounds. Throws if there were none. */
export function spread(values: readonly number[]): Pick<Row, 'value' | 'min' | 'max'> {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high, min, max] = [Math.floor(middle), Math.ceil(middle), 0, -1].map((index) => sorted.at(index));
  if (low === undefined || high === undefined || min === undefined || max === undefined)
    throw new Error('a measurement without rounds');
  return { value: rounded((low + high) / 2), min: rounded(min), max: rounded(max) };
}

/** Value below which this share of the sorted values lies. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Our row and one for each peer. `isMoreBetter` decides which way round the ratio is. */
export function rowsOf(
  id: string,
  unit: Unit,
  rounds: ReadonlyMap<string, readonly number[]>,
  isMoreBetter: boolean,
): Row[] {
  const ours = spread(rounds.get(us) ?? []);
  return [...rounds].map(([name, values]) => {
    const row = { id, ...spread(values), unit };
    if (name === us) return row;
    const ratio = isMoreBetter ? ours.value / row.value : row.value / ours.value;
    return { ...row, peer: name, ratio: Math.round(ratio * 1000) / 1000 };
  });
}

/** Name of our own contender among the peers. */
export const us = 'ours';

/** Three figures behind the point for small numbers, none for large ones. */
function rounded(value: number): number {
  const scale = value >= 1000 ? 1 : value >= 10 ? 100 : 1000;
  return Math.round(value * scale) / scale;
}
