import type { PlaneResult } from '../derive/results.ts';
import type { RunningProxy } from '../proxy/proxy.ts';
import { tableVersion } from '../table/document.ts';
import { packTable } from '../table/pack.ts';
import { withAddresses, type BackendAddresses } from './backendoption.ts';
import { planeServing, type Derived } from './derived.ts';
import { UsageError } from './exitcodes.ts';
import { readInput, updateStore, type FactChanges } from './facts.ts';
import { printFindings, type Said } from './findings.ts';
import type { MountedDirectory } from './mounteddirectory.ts';
import type { RuleOptions } from './options.ts';
import { printError, printMessage, type Terminal } from './terminal.ts';

/** A Gateway being served, and everything that following its files needs. */
export interface Session {
  readonly derived: Derived;
  readonly options: RuleOptions & { readonly gateway: string };
  readonly addresses: BackendAddresses;
  readonly directory: MountedDirectory;
  readonly proxy: RunningProxy;
  /** Findings printed so far. */
  readonly said: Said;
}

/** Writes the table and the endpoints as the pods would find them. Throws a UsageError for a table that is too large. */
export async function publish(
  plane: PlaneResult,
  { addresses, directory }: Pick<Session, 'addresses' | 'directory'>,
): Promise<void> {
  const packed = packTable(tableVersion, plane.table.text);
  if (packed.tooLarge !== undefined)
    throw new UsageError(
      `the routing table is too large: ${packed.tooLarge.bytes} bytes compressed, ${packed.tooLarge.limit} at most`,
    );
  await directory.write(
    new Map<string, string | Uint8Array>([
      ...packed.files.map(({ name, content }) => [name, content] as const),
      ['endpoints.json', withAddresses(plane, addresses)],
    ]),
  );
}

/**
 * Returns the function that reads the files again and serves what they now say. Bad input, or a Gateway that is not served any more,
 * changes nothing but what is printed.
 */
export function follower(session: Session, terminal: Terminal): () => Promise<void> {
  let { facts } = session.derived.input;
  let served = documentsOf(session, planeServing(session.options.gateway, session.derived));
  let complaint = JSON.stringify(session.derived.input.messages);
  const once = async (): Promise<void> => {
    const { derived, options, said } = session;
    const next = await readInput(options);
    const messages = JSON.stringify(next.messages);
    if (messages !== complaint) for (const message of next.messages) printMessage(message, terminal);
    complaint = messages;
    if (next.isBad) throw new UsageError('the files cannot be used');
    const changes = updateStore(derived.store, facts, next.facts);
    facts = next.facts;
    if (changes.added + changes.changed + changes.removed === 0) return;
    derived.derivation.settle();
    printFindings(derived.derivation.findings(), facts, { terminal, said });
    const plane = planeServing(options.gateway, derived);
    if (typeof plane === 'string') throw new UsageError(plane);
    const documents = documentsOf(session, plane);
    if (documents === served) {
      terminal.err.write(`${changesText(changes)}: no request of Gateway ${options.gateway} goes elsewhere\n`);
      return;
    }
    await publish(plane, session);
    const { lastError, rules } = await session.proxy.reload();
    if (lastError !== undefined) throw new Error(lastError);
    served = documents;
    terminal.err.write(`${changesText(changes)}: reloaded, table ${shortHash(plane)}, ${counted(rules, 'rule')}\n`);
  };
  return () =>
    once().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      printError(`not reloaded, the table in use stays: ${reason}`, terminal);
    });
}

/** The first digits of the table's hash, as they are printed. */
export function shortHash({ table }: PlaneResult): string {
  return table.hash.slice(0, 12);
}

/** `1 rule`, `2 rules`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function documentsOf({ addresses }: Session, plane: PlaneResult | string): string {
  return typeof plane === 'string' ? '' : `${plane.table.text}${withAddresses(plane, addresses)}`;
}

/** `1 object changed, 2 removed`. */
function changesText(changes: FactChanges): string {
  const parts = Object.entries(changes).filter(([, count]) => count > 0);
  return parts.map(([what, count], at) => `${at === 0 ? counted(count, 'object') : count} ${what}`).join(', ');
}
