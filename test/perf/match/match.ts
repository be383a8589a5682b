/** What it costs to find the rule of a request among 10,000. */
import { fileURLToPath } from 'node:url';
import type { Bench, Part, Row } from '../part.ts';
import { interleaved, openLedger } from '../rounds.ts';
import { shapes } from '../rules/table.ts';
import { rowsOf, us } from '../spread.ts';

const program = fileURLToPath(new URL('measure.ts', import.meta.url));
/** So many that the 1,000 patterns, each compiled once, are less than one in a hundred: the figure is that of a warm table. */
const lookups = 200_000;
const idOf = (suffix: string): string => `match-${suffix}`;

export const match: Part = {
  name: 'match',
  says: 'one look-up among 10,000 rules, 99th percentile',
  ids: shapes.map(({ suffix }) => idOf(suffix)),
  run,
};

async function run({ workshop, cores, isQuick, progress }: Bench): Promise<readonly Row[]> {
  const ledger = openLedger();
  await interleaved(isQuick ? 2 : 5, shapes, async ({ suffix, hosts }, round) => {
    progress(`${round}: ${idOf(suffix)}`);
    const output = await workshop.run(process.execPath, [program, String(hosts), String(lookups)], {
      core: cores.measured,
    });
    ledger.add(idOf(suffix), us, (JSON.parse(output) as { p99: number }).p99);
  });
  return shapes.flatMap(({ suffix }) => rowsOf(idOf(suffix), 'µs', ledger.of(idOf(suffix)), false));
}
