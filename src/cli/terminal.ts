import { styleText } from 'node:util';
import type { FileMessage } from '../facts/files/message.ts';
import { formatMessage } from '../facts/files/message.ts';

/** Where a command prints: results to `out`, everything said about them to `err`. */
export interface Terminal {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

type Style = 'red' | 'yellow' | 'green' | 'cyan' | 'bold' | 'dim';

/** Text in a colour where the stream shows colours: not in a pipe, not with NO_COLOR. */
export function coloured(style: Style, text: string, stream: NodeJS.WritableStream): string {
  return styleText(style, text, { stream, validateStream: true });
}

const styles = { error: 'red', warning: 'yellow', note: 'cyan' } as const;

/** One line for one message, `file:line:column: severity: object: field: sentence`. */
export function printMessage(message: FileMessage, { err }: Terminal): void {
  const severity = `${message.severity}:`;
  const shown = coloured(styles[message.severity], severity, err);
  err.write(`${formatMessage(message).replace(severity, shown)}\n`);
}
