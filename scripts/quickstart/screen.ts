/** What the quickstart shows: plain text, with colours and a line of progress only where a person looks on. */
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** Coloured on a terminal; NO_COLOR and pipes get the plain text. */
export function coloured(format: Format, text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

export function say(text = ''): void {
  progress('');
  process.stdout.write(`${text}\n`);
}

let steps = 0;

/** Begins the next part of the story. */
export function chapter(title: string): void {
  steps += 1;
  say();
  say(coloured('bold', `${steps}. ${title}`));
}

/** A command as a person would type it. */
export function command(text: string): void {
  say(`   ${coloured('dim', `$ ${text}`)}`);
}

/** One line that is written over; on a terminal only. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u{1B}[2K${text}`);
}

/** Rows with aligned columns. `paint` colours a cell that is already padded. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: (cell: string, column: number, row: number) => string = (cell) => cell,
): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (row: readonly string[]): string[] => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  say(`   ${coloured('dim', padded(head).join('  ').trimEnd())}`);
  for (const [index, row] of rows.entries()) {
    const cells = padded(row).map((cell, column) => paint(cell, column, index));
    say(`   ${cells.join('  ').trimEnd()}`);
  }
}
