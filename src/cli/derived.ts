import { createDerivation, type Derivation } from '../derive/derive.ts';
import { exitCodes, UsageError } from './exitcodes.ts';
import { readInput, type Input } from './facts.ts';
import { settingsOf, type RuleOptions } from './options.ts';
import { printMessage, type Terminal } from './terminal.ts';

/** The rules at work on the files that were named. */
export interface Derived {
  readonly input: Input;
  readonly derivation: Derivation;
}

/** Reads and derives, and prints what the files themselves deserve to hear. Nothing where the input is bad: the exit code is then 2. */
export async function deriveFiles(options: RuleOptions, terminal: Terminal): Promise<Derived | undefined> {
  const input = await readInput(options.filename, settingsOf(options));
  for (const message of input.messages) printMessage(message, terminal);
  if (input.isBad) {
    process.exitCode = exitCodes.badInput;
    return undefined;
  }
  const derivation = createDerivation(input.store);
  derivation.settle();
  return { input, derivation };
}

/** The plane that serves a Gateway. Throws a UsageError that says which Gateways there are, or why this one is not served. */
export function planeServing(gateway: string, { derivation }: Derived): string {
  const planes = [...derivation.planes().values()];
  const found = planes.find(({ plane }) => plane.gateways.includes(gateway));
  if (found !== undefined) return found.plane.id;
  const refused = derivation
    .findings()
    .find(({ kind, namespace, name }) => kind === 'Gateway' && `${namespace ?? ''}/${name}` === gateway);
  if (refused !== undefined) throw new UsageError(`Gateway ${gateway} is not served: ${refused.message}`);
  const served = planes.flatMap(({ plane }) => plane.gateways).join(', ');
  throw new UsageError(
    served === ''
      ? `Gateway ${gateway} is not among the files, and no other Gateway there is served`
      : `Gateway ${gateway} is not among the files; served there: ${served}`,
  );
}
