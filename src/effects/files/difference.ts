/** Lines shown of one file at most; a review tool shows the rest. */
const mostLines = 60;
/** Cells of the table of common lines; larger differences are shown as one block. */
const mostCells = 4_000_000;

/** What differs between two texts, line by line: `-` before, `+` after, each run under its line number in the new text. */
export function lineDifference(before: string, after: string): string {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = changes(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const lines = numbered(middle, start + 1);
  const more = lines.length - mostLines;
  const shown = more > 0 ? [...lines.slice(0, mostLines), `  … ${more} more lines`] : lines;
  return shown.map((line) => `${line}\n`).join('');
}

interface Line {
  readonly mark: '-' | '+' | ' ';
  readonly text: string;
}

function changes(old: readonly string[], now: readonly string[]): readonly Line[] {
  if (old.length * now.length > mostCells) return [...old.map(removed), ...now.map(added)];
  const common = commonLengths(old, now);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ mark: ' ', text: old[i] ?? '' });
      i += 1;
      j += 1;
    } else if (lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1)) {
      lines.push(removed(old[i] ?? ''));
      i += 1;
    } else {
      lines.push(added(now[j] ?? ''));
      j += 1;
    }
  }
  return [...lines, ...old.slice(i).map(removed), ...now.slice(j).map(added)];
}

/** At [i][j] the length of the longest common subsequence of what follows i and j. */
function commonLengths(old: readonly string[], now: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = rows[i];
      if (row === undefined) continue;
      row[j] =
        old[i] === now[j]
          ? lengthAt(rows, i + 1, j + 1) + 1
          : Math.max(lengthAt(rows, i + 1, j), lengthAt(rows, i, j + 1));
    }
  }
  return rows;
}

function lengthAt(rows: readonly Uint32Array[], i: number, j: number): number {
  return rows[i]?.[j] ?? 0;
}

const removed = (text: string): Line => ({ mark: '-', text });
const added = (text: string): Line => ({ mark: '+', text });

/** Runs of changed lines, each under the number of its first line; unchanged lines between them are left out. */
function numbered(lines: readonly Line[], first: number): readonly string[] {
  const shown: string[] = [];
  let [number, isInRun] = [first, false];
  for (const { mark, text } of lines) {
    if (mark !== ' ' && !isInRun) shown.push(`  @@ line ${number} @@`);
    isInRun = mark !== ' ';
    if (isInRun) shown.push(`  ${mark} ${text}`);
    if (mark !== '-') number += 1;
  }
  return shown;
}
