import type { Finding } from '../derive/results.ts';
import type { FileMessage } from '../facts/files/read.ts';
import { namespacedName } from '../facts/object.ts';
import type { Input } from './facts.ts';
import { printMessage, type Terminal } from './terminal.ts';

/** Prints findings at the places they are about, each sentence once. */
export function printFindings(findings: readonly Finding[], facts: Input['facts'], terminal: Terminal): void {
  const said = new Set<string>();
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
    path: fieldText(path),
    message: `${message} [${code}]`,
  };
}

function fieldText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');
}

/** Whether a finding is at least as grave as `level`. */
export function isReached(findings: readonly Finding[], level: 'error' | 'warning' | undefined): boolean {
  if (level === undefined) return false;
  return findings.some(({ severity }) => severity === 'error' || (level === 'warning' && severity === 'warning'));
}
