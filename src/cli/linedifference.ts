/** Lines shown of one file at most; a review tool shows the rest. */
const mostLines = 40;

/** What differs between two texts: the lines between their equal beginnings and ends, `-` before and `+` after. */
export function lineDifference(before: string, after: string): string {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const lines = [
    `  @@ line ${start + 1} @@`,
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...now.slice(start, now.length - end).map((line) => `  + ${line}`),
  ];
  const more = lines.length - mostLines;
  const shown = more > 0 ? [...lines.slice(0, mostLines), `  … ${more} more lines`] : lines;
  return `${shown.join('\n')}\n`;
}
