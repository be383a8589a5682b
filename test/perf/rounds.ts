/** Interleaving: whatever disturbs the machine for a while disturbs everything that is compared. */

/** Calls `measure` for each of the things in turn, so many times over, each round in the opposite order of the one before. */
export async function interleaved<T>(
  rounds: number,
  things: readonly T[],
  measure: (thing: T, round: string) => Promise<void>,
): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    // The order turns round, so that none is always measured after the same neighbour.
    const order = round % 2 === 1 ? things : things.toReversed();
    for (const thing of order) await measure(thing, `round ${round} of ${rounds}`);
  }
}

/** Lists of figures by two names. */
export interface Ledger {
  add(id: string, name: string, figure: number): void;
  /** Figures by the second name, in the order in which they first came. */
  of(id: string): ReadonlyMap<string, readonly number[]>;
}

export function openLedger(): Ledger {
  const ids = new Map<string, Map<string, number[]>>();
  return {
    add(id, name, figure) {
      const names = ids.get(id) ?? new Map<string, number[]>();
      ids.set(id, names);
      names.set(name, [...(names.get(name) ?? []), figure]);
    },
    of: (id) => ids.get(id) ?? new Map(),
  };
}
