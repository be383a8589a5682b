/**
 * The answer on a stream of HTTP/2 as the response the pipeline knows, and the stream in place of the connection: ending the one for an
 * exchange must never end the other exchanges of its connection.
 */
import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

/** What the pipeline uses of a connection. */
export function streamSocket(stream: ServerHttp2Stream, peer: Socket): Socket {
  const socket: Pick<Socket, 'remoteAddress' | 'destroyed' | 'readyState' | 'destroySoon' | 'resetAndDestroy'> = {
    remoteAddress: peer.remoteAddress ?? '',
    get destroyed() {
      return stream.destroyed || stream.closed;
    },
    get readyState() {
      return stream.destroyed || stream.closed ? 'closed' : 'open';
    },
    destroySoon: () => stream.close(constants.NGHTTP2_NO_ERROR),
    resetAndDestroy() {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      return socket as Socket;
    },
  };
  return socket as Socket;
}

/** What the pipeline uses of a response; events are those of the stream. */
export function streamResponse(stream: ServerHttp2Stream, isHead: boolean): ServerResponse {
  return new StreamResponse(stream, isHead) as never;
}

const bodyless = new Set([204, 205, 304]);

class StreamResponse {
  readonly stream: ServerHttp2Stream;
  readonly isHead: boolean;
  statusCode = 200;
  #trailers: [string, string][] = [];

  constructor(stream: ServerHttp2Stream, isHead: boolean) {
    this.stream = stream;
    this.isHead = isHead;
    stream.on('wantTrailers', () => stream.sendTrailers(Object.fromEntries(this.#trailers)));
  }

  get headersSent(): boolean {
    return this.stream.headersSent;
  }

  get destroyed(): boolean {
    return this.stream.destroyed;
  }

  /** `fields` as a flat list, last; a reason phrase does not exist in HTTP/2. */
  writeHead(status: number, ...rest: readonly unknown[]): this {
    const fields = rest.at(-1) as readonly string[];
    const lines = [':status', String(status)];
    let isLast = false;
    for (let index = 0; index < fields.length; index += 2) {
      const name = (fields[index] ?? '').toLowerCase();
      if (name === 'connection') isLast = true;
      else lines.push(name, fields[index + 1] ?? '');
    }
    this.statusCode = status;
    this.stream.respond(lines, { waitForTrailers: !this.isHead && !bodyless.has(status) });
    // An answer that asks to close the connection: no new streams, those there are go on to their end.
    if (isLast) this.stream.session?.close();
    return this;
  }

  writeContinue(): void {
    this.stream.additionalHeaders({ ':status': 100 });
  }

  /** The head goes out when it is written. */
  flushHeaders(): void {}

  write(chunk: Buffer): boolean {
    return this.stream.writableEnded || this.stream.write(chunk);
  }

  end(text?: string): this {
    // An answer without a body has ended with its head.
    if (!this.stream.writableEnded) this.stream.end(text);
    return this;
  }

  addTrailers(trailers: readonly (readonly [string, string])[]): void {
    this.#trailers = trailers.map(([name, value]) => [name.toLowerCase(), value]);
  }

  on(event: string, listener: () => void): this {
    this.stream.on(event, listener);
    return this;
  }

  once(event: string, listener: () => void): this {
    this.stream.once(event, listener);
    return this;
  }
}
