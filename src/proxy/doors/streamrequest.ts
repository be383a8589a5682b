/**
 * A stream of HTTP/2 as the request the pipeline knows: fields as HTTP/1.1 would have them, the body to be read as usual. To destroy it
 * leaves the stream alone, which still has to be answered.
 */
import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

/** Makes the request of a stream from its field lines (name, value, name, value). */
export function streamRequest(stream: ServerHttp2Stream, raw: readonly string[], socket: Socket): IncomingMessage {
  return new StreamRequest(stream, raw, socket) as never;
}

class StreamRequest extends Readable {
  readonly socket: Socket;
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: string[];
  readonly rawTrailers: string[] = [];
  readonly headers: Record<string, string>;
  /** Of HTTP/1.1: what the pipeline asks is what it may send. */
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  /** The body was read to its end. */
  complete: boolean;
  readonly #stream: ServerHttp2Stream;

  constructor(stream: ServerHttp2Stream, raw: readonly string[], socket: Socket) {
    super({ autoDestroy: false });
    this.#stream = stream;
    this.socket = socket;
    const pseudo = (name: string): string => raw[raw.indexOf(name) + 1] ?? '';
    this.method = pseudo(':method');
    this.url = pseudo(':path');
    this.complete = stream.endAfterHeaders;
    this.rawHeaders = fieldLines(raw, !this.complete);
    this.headers = lastValues(this.rawHeaders);
    if (this.complete) this.push(null);
    else this.#listen(stream);
  }

  #listen(stream: ServerHttp2Stream): void {
    stream.pause();
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.on('trailers', (_fields, _flags, raw?: string[]) => this.rawTrailers.push(...(raw ?? [])));
    stream.on('end', () => {
      this.complete = !stream.aborted;
      if (this.complete) this.push(null);
    });
  }

  override _read(): void {
    this.#stream.resume();
  }
}

/**
 * Field lines of HTTP/1.1 (RFC 9113 §8): the authority is the host, cookies are one field again, and a body without a length is chunked.
 * A Host beside an authority stays where it differs, so that the gate refuses the two.
 */
function fieldLines(raw: readonly string[], hasBody: boolean): string[] {
  const valuesOf = (wanted: string): string[] =>
    raw.filter((_value, index) => index % 2 === 1 && raw[index - 1] === wanted);
  const [authority] = valuesOf(':authority');
  const lines = authority === undefined ? [] : ['host', authority];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const isSame = name === 'host' && value === authority;
    if (!name.startsWith(':') && name !== 'cookie' && !isSame) lines.push(name, value);
  }
  const cookies = valuesOf('cookie');
  if (cookies.length > 0) lines.push('cookie', cookies.join('; '));
  if (hasBody && !raw.includes('content-length')) lines.push('transfer-encoding', 'chunked');
  return lines;
}

function lastValues(lines: readonly string[]): Record<string, string> {
  const values: [string, string][] = [];
  for (let index = 0; index < lines.length; index += 2) values.push([lines[index] ?? '', lines[index + 1] ?? '']);
  return Object.fromEntries(values);
}
