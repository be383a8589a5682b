/** Sends a request over a real connection, with the Host header of the example, and follows no redirect. */
import { request } from 'node:http';
import type { Agent, IncomingHttpHeaders } from 'node:http';
import type { Seen } from './backends.ts';

export interface Request {
  readonly method: string;
  readonly host: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What the backend saw, where a backend of ours answered. */
  readonly seen?: Seen;
}

const patience = 10_000;

/** To a port of 127.0.0.1. Rejects if the connection fails or no answer comes within ten seconds. */
export function send(port: number, { method, host, target, headers }: Request, agent?: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path: target,
      headers: { ...headers, host },
      timeout: patience,
      ...(agent === undefined ? {} : { agent }),
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${patience / 1000} s`)));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const seen = seenBy(Buffer.concat(parts).toString());
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          ...(seen === undefined ? {} : { seen }),
        });
      });
    });
    outgoing.end();
  });
}

/** An answer of the proxy's own is no JSON of a backend. */
function seenBy(body: string): Seen | undefined {
  try {
    const value = JSON.parse(body) as Partial<Seen> | null;
    return typeof value?.backend === 'string' ? (value as Seen) : undefined;
  } catch {
    return undefined;
  }
}
