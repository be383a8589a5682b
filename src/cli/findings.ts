import type { Finding } from '../derive/results.ts';
import { pathText } from '../facts/fieldpath.ts';
import { namespacedName } from '../facts/object.ts';
import type { NamedFacts } from './facts.ts';
import { printMessage, type Terminal } from './terminal.ts';

/** Sentences that were printed already. */
export type Said = Set<string>;

/** Prints findings at the places they are about, each sentence once; `said` remembers them from one call to the next. */
export function printFindings(
  findings: readonly Finding[],
  facts: NamedFacts,
  { terminal, said = new Set() }: { readonly terminal: Terminal; readonly said?: Said },
): void {
  for (const finding of findings) {
    // What was assumed is one thing, whoever refers to it.
    const identity = finding.code === 'Assumed' ? finding.message : JSON.stringify(finding);
    if (said.has(identity)) continue;
    said.add(identity);
    print(finding, facts, terminal);
  }
}

function print(finding: Finding, facts: NamedFacts, terminal: Terminal): void {
  const { severity, kind, namespace, name, path = [], message, code } = finding;
  const key = namespacedName(namespace, name);
  const fact = facts.get(`${kind}/${key}`);
  const position = fact === undefined ? {} : { position: fact.positionOf(path) };
  printMessage(
    { severity, ...position, object: `${kind} ${key}`, path: pathText(path), message: `${message} [${code}]` },
    terminal,
  );
}

/** A level of severity that a command was asked to fail at. */
export type FailLevel = 'error' | 'warning';

/** Whether anything that was said is at least as grave as `level`. */
export function isReached(
  said: readonly { readonly severity: 'error' | 'warning' | 'note' }[],
  level: FailLevel | undefined,
): boolean {
  if (level === undefined) return false;
  return said.some(({ severity }) => severity === 'error' || (level === 'warning' && severity === 'warning'));
}
