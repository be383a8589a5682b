import type { Path } from '../fieldpath.ts';

/** A place in a file; line and column count from 1, the column in UTF-16 units, as editors do. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where a value of a document and everything in it was written, by offsets into the text. */
export interface Place {
  /** Of a field its name, of a list item the item. */
  readonly offset: number;
  readonly children?: ReadonlyMap<string | number, Place>;
}

/** Turns offsets into positions. */
export type Locate = (offset: number) => SourcePosition;

/** Looks the lines of `text` up once, so that each position costs a binary search. */
export function locator(file: string, text: string): Locate {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** The place of `path` below `place`, or of the nearest thing above it that was written: what is missing has no place of its own. */
export function placeOf(place: Place, path: Path): Place {
  let at = place;
  for (const part of path) {
    const below = at.children?.get(part);
    if (below === undefined) return at;
    at = below;
  }
  return at;
}
