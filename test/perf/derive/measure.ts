/**
 * Times the rules; started by `derive.ts` on a core of its own. Argument: ROUTES, all on one Gateway, ten to a host. Prints milliseconds:
 * `cold`, from a full store to all results, with code already compiled by a smaller world; `one`, the median from one changed route to
 * encoded table, hash, statuses and the plan of objects.
 */
import { createDerivation, type Derivation } from '../../../src/derive/derive.ts';
import { changeSet, stepText } from '../../../src/effects/changeset.ts';
import { controllerSettings } from '../../../src/facts/settings.ts';
import { createFactStore, type FactStore } from '../../../src/facts/store.ts';
import { quantile } from '../spread.ts';
import { route, world } from './world.ts';

const routes = Number(process.argv[2] ?? 500);
const changes = 200;

settled(200);
const { store, derivation, milliseconds } = settled(routes);
const times = Array.from({ length: changes }, (_, index) => timedChange(store, derivation, index)).toSorted(
  (a, b) => a - b,
);
console.log(JSON.stringify({ cold: milliseconds, one: quantile(times, 0.5), p99: quantile(times, 0.99) }));

function settled(count: number): { store: FactStore; derivation: Derivation; milliseconds: number } {
  const facts = createFactStore();
  facts.set(controllerSettings());
  for (const object of world(count)) facts.set(object);
  const begun = performance.now();
  const made = createDerivation(facts);
  made.settle();
  const took = performance.now() - begun;
  if (made.planes().size !== 1 || made.statuses().size !== count + 2) throw new Error('the world came out otherwise');
  return { store: facts, derivation: made, milliseconds: took };
}

/** One route gets another path: one row and one ConfigMap must change, and nothing else. */
function timedChange(facts: FactStore, derived: Derivation, index: number): number {
  const before = derived.planes().get('shop/web')?.objects ?? [];
  facts.set(route((index * 37) % routes, `v${index}`));
  const begun = performance.now();
  const { planes } = derived.settle();
  const steps = planes.flatMap((id) => changeSet(before, derived.planes().get(id)?.objects ?? []));
  const took = performance.now() - begun;
  const plan = steps.map(stepText).join(', ');
  if (plan !== 'update ConfigMap shop/gateway-web') throw new Error(`the plan is ${plan}`);
  return took;
}
