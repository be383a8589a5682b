import type { SourcePosition } from './position.ts';

/** Something to tell the person who wrote a file. */
export interface FileMessage {
  readonly severity: 'error' | 'warning' | 'note';
  readonly position: SourcePosition;
  /** `HTTPRoute shop/cart`, where the message is about an object. */
  readonly object?: string;
  /** `spec.rules[0].matches[1]`, where it is about a field. */
  readonly path?: string;
  /** What is wrong and how to mend it, as a clause that follows the path. */
  readonly message: string;
}

/** One line: `file:line:column: error: HTTPRoute shop/cart: spec.hostnames[0]: must be …`. */
export function formatMessage({ severity, position, object, path, message }: FileMessage): string {
  const place = `${position.file}:${position.line}:${position.column}`;
  const subject = object === undefined ? '' : ` ${object}:`;
  return `${place}: ${severity}:${subject}${path === undefined || path === '' ? '' : ` ${path}:`} ${message}`;
}
