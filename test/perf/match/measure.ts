/**
 * Times single look-ups of the matcher that the proxy serves by; started by `match.ts` on a core of its own. Arguments: HOSTS LOOKUPS.
 * Prints the 99th percentile, in microseconds, on a table that is new: its patterns are compiled when a look-up first needs them.
 */
import { compile } from '../../../src/proxy/match/compile.ts';
import type { CompiledTable } from '../../../src/proxy/match/compile.ts';
import type { MatchRequest } from '../../../src/proxy/match/request.ts';
import { ruleId, ruleTable } from '../rules/table.ts';
import type { Target } from '../rules/table.ts';
import { quantile } from '../spread.ts';

const [hosts = 1000, lookups = 100_000] = process.argv.slice(2).map(Number);

// The same code on another version of the table, so that what is timed is compiled code and not its compilation.
timed(compile(ruleTable({ hosts, version: 1 }).table), ruleTable({ hosts, version: 1 }).targets, lookups / 2);
const { table, targets } = ruleTable({ hosts });
const times = timed(compile(table), targets, lookups).toSorted();
console.log(JSON.stringify({ p50: quantile(times, 0.5), p99: quantile(times, 0.99), p999: quantile(times, 0.999) }));

/** Microseconds of each look-up. Throws if one gives another rule than the one asked for. */
function timed(compiled: CompiledTable, asked: readonly Target[], count: number): Float64Array {
  const times = new Float64Array(count);
  const requests = asked.map((target) => ({ target, request: requestFor(target) }));
  let seed = 1;
  for (let index = 0; index < count; index += 1) {
    // A generator of our own, because every run is to ask for the same in the same order.
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const one = requests[(seed >>> 8) % requests.length];
    if (one === undefined) throw new Error('no requests');
    const begun = performance.now();
    const matched = compiled.match(one.request);
    times[index] = (performance.now() - begun) * 1000;
    const { rule } = one.target;
    const expected = rule === undefined ? undefined : ruleId(rule);
    if (matched?.ruleId !== expected)
      throw new Error(`${one.target.host}${one.target.path} leads to ${matched?.ruleId}, expected is ${expected}`);
  }
  return times;
}

function requestFor({ host, path }: Target): MatchRequest {
  return { host, path, query: '', method: 'GET', headerValues: () => [] };
}
