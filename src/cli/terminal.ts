import { styleText } from 'node:util';
import { formatMessage, type FileMessage } from '../facts/files/message.ts';
import type { SourcePosition } from '../facts/files/position.ts';

/** Where a command prints: results to `out`, everything said about them to `err`. */
export interface Terminal {
  readonly out: Stream;
  readonly err: Stream;
}

export type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean };

type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

/** Text in a colour where a person looks: not in a pipe or a file, and never with NO_COLOR (no-color.org: set and not empty). */
export function coloured(style: Style, text: string, stream: Stream): string {
  const isPlain = stream.isTTY !== true || (process.env.NO_COLOR ?? '') !== '' || process.env.TERM === 'dumb';
  return isPlain ? text : styleText(style, text, { validateStream: false });
}

const styles = { error: 'red', warning: 'yellow', note: 'cyan' } as const;

/** What is said of an object; one that no file holds has no position. */
export type Message = Omit<FileMessage, 'position'> & { readonly position?: SourcePosition };

/** One line, `file:line:column: severity: object: field: sentence`, without the place where there is none. */
export function printMessage({ position, ...message }: Message, { err }: Terminal): void {
  const nowhere = { file: '', line: 0, column: 0 };
  const line = formatMessage({ ...message, position: position ?? nowhere });
  const placed = position === undefined ? line.replace(/^:0:0: /, '') : line;
  const severity = `${message.severity}:`;
  err.write(`${placed.replace(severity, () => coloured(styles[message.severity], severity, err))}\n`);
}

/** `error: …`, in the form of a message about no file. */
export function printError(message: string, { err }: Terminal): void {
  err.write(`${coloured('red', 'error:', err)} ${message}\n`);
}

/** One line of progress, for a person only: nothing in a pipe or a log. */
export function progress(text: string, { err }: Terminal): void {
  if (err.isTTY === true) err.write(`${coloured('dim', text, err)}\n`);
}
