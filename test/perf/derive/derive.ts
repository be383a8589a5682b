/** What it costs to derive everything from routes: all at once, and after a change of one. */
import { fileURLToPath } from 'node:url';
import type { Bench, Part, Row } from '../part.ts';
import { interleaved, openLedger } from '../rounds.ts';
import { rowsOf, us } from '../spread.ts';

const program = fileURLToPath(new URL('measure.ts', import.meta.url));
const sizes = [500, 5000];
const idsOf = (routes: number): { cold: string; one: string } => ({
  cold: `derive-${routes}-cold`,
  one: `derive-${routes}-one`,
});

export const derive: Part = {
  name: 'derive',
  says: 'from facts to table, statuses and plan: all routes, and one changed',
  ids: sizes.flatMap((routes) => Object.values(idsOf(routes))),
  run,
};

async function run({ workshop, cores, isQuick, progress }: Bench): Promise<readonly Row[]> {
  const ledger = openLedger();
  await interleaved(isQuick ? 2 : 5, sizes, async (routes, round) => {
    progress(`${round}: ${routes} routes`);
    const output = await workshop.run(process.execPath, [program, String(routes)], { core: cores.measured });
    const { cold, one } = JSON.parse(output) as { cold: number; one: number };
    ledger.add(idsOf(routes).cold, us, cold);
    ledger.add(idsOf(routes).one, us, one);
  });
  return derive.ids.flatMap((id) => rowsOf(id, 'ms', ledger.of(id), false));
}
