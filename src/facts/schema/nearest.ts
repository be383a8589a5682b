/** The one of `names` that `typed` was most likely meant to be: equal but for case, a few slips away, or its short form. */
export function nearestName(typed: string, names: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = distanceOf(typed, name);
    if (distance <= Math.min(2, Math.floor(typed.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { name, distance };
    }
  }
  return best?.name;
}

function distanceOf(typed: string, name: string): number {
  const [one, other] = [typed.toLowerCase(), name.toLowerCase()];
  if (one === other) return 0;
  return one.length > 2 && (other.startsWith(one) || one.startsWith(other)) ? 1 : slips(typed, name);
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other; 3 stands for more than two. */
function slips(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => i + j),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= one.length; i += 1) {
    for (let j = 1; j <= other.length; j += 1) {
      const change = at(i - 1, j - 1) + Number(one[i - 1] !== other[j - 1]);
      const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swap = swapped ? at(i - 2, j - 2) + 1 : Infinity;
      (table[i] ?? [])[j] = Math.min(change, swap, at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  return at(one.length, other.length);
}
