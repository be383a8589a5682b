import type { Finding } from '../derive/results.ts';
import type { FileMessage } from '../facts/files/read.ts';
import { pathText } from '../facts/fieldpath.ts';
import { namespacedName } from '../facts/object.ts';
import type { Input } from './facts.ts';
import { printMessage, type Terminal } from './terminal.ts';

/** Sentences that were printed already. */
export type Said = Set<string>;

/** Prints findings at the places they are about, each sentence once; `said` remembers them from one call to the next. */
export function printFindings(
  findings: readonly Finding[],
  facts: Input['facts'],
  { terminal, said = new Set() }: { readonly terminal: Terminal; readonly said?: Said },
): void {
  for (const finding of findings) {
    // What was assumed is one thing, whoever refers to it.
    const identity = finding.code === 'Assumed' ? finding.message : JSON.stringify(finding);
    if (said.has(identity)) continue;
    said.add(identity);
    printMessage(messageOf(finding, facts), terminal);
  }
}

function messageOf(finding: Finding, facts: Input['facts']): FileMessage {
  const { severity, kind, namespace, name, path = [], message, code } = finding;
  const key = namespacedName(namespace, name);
  const fact = facts.get(`${kind}/${key}`);
  return {
    severity,
    position: fact?.positionOf(path) ?? { file: '-', line: 1, column: 1 },
    object: `${kind} ${key}`,
    path: pathText(path),
    message: `${message} [${code}]`,
  };
}

/** Whether a finding is at least as grave as `level`. */
export function isReached(findings: readonly Finding[], level: 'error' | 'warning' | undefined): boolean {
  if (level === undefined) return false;
  return findings.some(({ severity }) => severity === 'error' || (level === 'warning' && severity === 'warning'));
}
