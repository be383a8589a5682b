import type { Condition } from '../api/conditions.ts';
import { createDerivation, type Derivation } from '../derive/derive.ts';
import type { PlaneResult } from '../derive/results.ts';
import type { FactStore } from '../facts/store.ts';
import { exitCodes, UsageError } from './exitcodes.ts';
import { readInput, storeOf, type Input } from './facts.ts';
import type { RuleOptions } from './options.ts';
import { printMessage, type Terminal } from './terminal.ts';

/** The rules at work on the files that were named. */
export interface Derived {
  readonly input: Input;
  readonly store: FactStore;
  readonly derivation: Derivation;
}

/** Reads and derives, and prints what is to be said of the files themselves. Nothing where the input is bad: the exit code is then 2. */
export async function deriveFiles(options: RuleOptions, terminal: Terminal): Promise<Derived | undefined> {
  const input = await readInput(options);
  for (const message of input.messages) printMessage(message, terminal);
  if (input.isBad) {
    process.exitCode = exitCodes.badInput;
    return undefined;
  }
  const store = storeOf(input, options);
  const derivation = createDerivation(store);
  derivation.settle();
  return { input, store, derivation };
}

/** The plane that serves a Gateway, or the sentence that says why none does. Throws a UsageError if there is no such Gateway. */
export function planeServing(gateway: string, { derivation, store }: Derived): PlaneResult | string {
  const found = [...derivation.planes().values()].find(({ plane }) => plane.gateways.includes(gateway));
  if (found !== undefined) return found;
  if (store.get('Gateway', gateway) === undefined) throw new UsageError(noSuchGateway(gateway, store));
  const conditions = (derivation.statuses().get(`Gateway/${gateway}`)?.status['conditions'] ?? []) as Condition[];
  const refused = conditions.find(({ type, status }) => type === 'Accepted' && status !== 'True');
  const why =
    refused?.message ?? 'its GatewayClass is not one of this controller, or the Gateway is taken out of its hands';
  return `Gateway ${gateway} is not served: ${why}`;
}

function noSuchGateway(gateway: string, store: FactStore): string {
  const there = [...store.keys('Gateway')].toSorted();
  const named = there.length === 0 ? 'they hold none' : `there are ${there.join(', ')}`;
  const hint = gateway.includes('/') ? '' : '; write it as NAMESPACE/NAME';
  return `Gateway ${gateway} is not among the files: ${named}${hint}`;
}
