/** The rows as a table for people, and the line that says what is being done. */
import { styleText } from 'node:util';
import { verdictOn } from './goals.ts';
import type { Row } from './part.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours on a terminal only, and never where NO_COLOR is set. */
const isColoured = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';
const paint = (style: Style, text: string): string =>
  isColoured ? styleText(style, text, { validateStream: false }) : text;

const titles = ['id', 'peer', 'median', 'min', 'max', 'unit', 'ratio', 'goal', ''];
const isNumeric = [false, false, true, true, true, false, true, false, false];

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const verdict = verdictOn(row);
    const judged = verdict ? [verdict.goal, verdict.isMet ? 'met' : 'missed'] : ['', ''];
    const figures = [row.value, row.min, row.max].map(figure);
    return [row.id, row.peer ?? '', ...figures, row.unit, row.ratio?.toFixed(2) ?? '', ...judged];
  });
  const widths = titles.map((title, at) => Math.max(title.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const aligned = (line: readonly string[]): string =>
    line
      .map((cell, at) => (isNumeric[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [paint('bold', aligned(titles)), ...lines.map((line) => coloured(line, aligned(line)))].join('\n');
}

function coloured(line: readonly string[], text: string): string {
  if (line.at(-1) === 'missed') return paint('red', text);
  return line[1] === '' ? text : paint('dim', text);
}

function figure(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}

const canErase = process.stderr.isTTY;

/** Replaces the line before it. Nothing is shown where a line cannot be replaced. */
export function progress(what: string): void {
  if (canErase) process.stderr.write(`\r\u001B[K${what}`);
}

/** A sentence that stays. */
export function note(sentence: string): void {
  if (canErase) process.stderr.write('\r\u001B[K');
  process.stderr.write(`${sentence}\n`);
}
