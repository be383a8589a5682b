/** `results/latest.json`: the rows of the last run of each part. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Part, Row } from './part.ts';

const file = fileURLToPath(new URL('results/latest.json', import.meta.url));

/** Writes the rows of the parts that ran; rows of other parts stay as they are in the file. */
export function keep(fresh: readonly Row[], ran: readonly Part[], all: readonly Part[]): void {
  const owned = new Set(ran.flatMap(({ ids }) => ids));
  const kept = read().filter(({ id }) => !owned.has(id));
  const order = all.flatMap(({ ids }) => ids);
  const place = ({ id }: Row): number => (order.includes(id) ? order.indexOf(id) : order.length);
  const rows = [...kept, ...fresh].toSorted((a, b) => place(a) - place(b));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`);
}

function read(): Row[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Row[]) : [];
}
