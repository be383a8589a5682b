/**
 * What the wire tests stand on: a proxy on a table written to a file, backends that record bytes, a client that sends bytes.
 */
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { connect } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProxy } from '../../src/proxy/proxy.ts';
import type { ProxyOptions, RunningProxy } from '../../src/proxy/proxy.ts';
import { encodeTable } from '../../src/table/encode.ts';
import type {
  RoutingTable,
  TableBackend,
  TableFilter,
  TableRow,
  TableRule,
  WeightedBackend,
} from '../../src/table/document.ts';

export const host = 'app.example.com';

/** One rule of a test table: where it matches and what it does. */
export interface TestRule {
  readonly prefix?: string;
  readonly exact?: string;
  readonly filters?: readonly TableFilter[];
  readonly backends?: readonly WeightedBackend[];
  readonly timeouts?: TableRule['timeouts'];
  readonly answer?: TableRule['answer'];
}

/** A table of one host; rules are ranked as given. */
export function tableOf(rules: readonly TestRule[], backends: Readonly<Record<string, TableBackend>>): RoutingTable {
  const rows = rules.map(({ prefix, exact }, index): TableRow => ({
    path: exact === undefined ? { type: 'PathPrefix', value: prefix ?? '/' } : { type: 'Exact', value: exact },
    listeners: ['ns/gw/http'],
    rule: `ns/route/${String(index).padStart(4, '0')}`,
  }));
  const made = rules.map(({ filters, backends: shares, timeouts, answer }, index): [string, TableRule] => [
    `ns/route/${String(index).padStart(4, '0')}`,
    {
      source: `HTTPRoute ns/route rule ${index}`,
      ...(filters && { filters }),
      ...(shares && { backends: shares }),
      ...(timeouts && { timeouts }),
      ...(answer && { answer }),
    },
  ]);
  return {
    schema: '1.0',
    plane: 'ns/gw',
    listeners: [{ id: 'ns/gw/http', gateway: 'ns/gw', protocol: 'HTTP', port: 80 }],
    hosts: [{ host, rows }],
    rules: Object.fromEntries(made),
    backends,
  };
}

/** A table that sends everything to one backend. */
export function tableTo(
  port: number,
  rest: Partial<TableBackend> & Pick<TestRule, 'filters' | 'timeouts'> = {},
): RoutingTable {
  const { filters, timeouts, ...backend } = rest;
  return tableOf(
    [{ backends: [{ weight: 1, backend: 'b' }], ...(filters && { filters }), ...(timeouts && { timeouts }) }],
    {
      b: { host: '127.0.0.1', port, protocol: 'http1', ...backend },
    },
  );
}

/** Everything started in a test, ended in reverse order by `cleanUp`. */
const endings: (() => Promise<unknown> | void)[] = [];

export function atEnd(ending: () => Promise<unknown> | void): void {
  endings.push(ending);
}

export async function cleanUp(): Promise<void> {
  for (const ending of endings.splice(0).toReversed()) await ending();
}

export interface TestProxy extends RunningProxy {
  readonly port: number;
  readonly tableFile: string;
  /** Writes another table and waits until it serves. */
  load(table: RoutingTable): Promise<void>;
}

/** A proxy serving a table; ready when it returns. */
export async function proxyFor(table: RoutingTable, options: Partial<ProxyOptions> = {}): Promise<TestProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'wire-'));
  const tableFile = join(directory, 'table.json');
  await writeFile(tableFile, encodeTable(table));
  const proxy = await startProxy({
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    table: tableFile,
    graceMs: 2000,
    ...options,
  });
  atEnd(async () => {
    await proxy.stop(100);
    await rm(directory, { recursive: true });
  });
  await proxy.ready;
  return {
    ...proxy,
    port: Number(new URL(proxy.url).port),
    tableFile,
    async load(next) {
      await writeFile(tableFile, encodeTable(next));
      await proxy.reload();
    },
  };
}

export interface RawBackend {
  readonly port: number;
  /** All bytes of each connection so far, in latin1. */
  readonly received: string[];
  readonly sockets: Socket[];
}

/** A backend of bytes: `onData` is given a connection, what has come on it so far, and its number. */
export async function rawBackend(onData: (socket: Socket, soFar: string, index: number) => void): Promise<RawBackend> {
  const received: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: false }, (socket) => {
    const index = received.push('') - 1;
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received[index] += chunk.toString('latin1');
      onData(socket, received[index] ?? '', index);
    });
  });
  const port = await listen(server);
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port, received, sockets };
}

/** A backend that answers every complete request on a connection with the same bytes. */
export function answering(answer: string): Promise<RawBackend> {
  const answered: number[] = [];
  return rawBackend((socket, soFar, index) => {
    const wanted = requestsIn(soFar).length;
    for (let count = answered[index] ?? 0; count < wanted; count += 1) socket.write(answer, 'latin1');
    answered[index] = wanted;
  });
}

export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** A request as a backend understands it. */
export interface SeenRequest {
  readonly line: string;
  readonly fields: readonly string[];
  readonly body: string;
}

/** Splits a connection's bytes into requests by the framing rules of HTTP/1.1, as a backend would. An unfinished one is left out. */
export function requestsIn(bytes: string): SeenRequest[] {
  const seen: SeenRequest[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return seen;
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const body = bodyOf(rest.slice(end + 4), fields);
    if (!body) return seen;
    seen.push({ line, fields, body: body.text });
    rest = rest.slice(end + 4 + body.size);
  }
}

function bodyOf(rest: string, fields: readonly string[]): { text: string; size: number } | undefined {
  const value = (name: string): string | undefined =>
    fields
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const length = value('content-length');
  if (value('transfer-encoding') === undefined) {
    const size = Number(length ?? 0);
    return rest.length < size ? undefined : { text: rest.slice(0, size), size };
  }
  let text = '';
  let at = 0;
  for (;;) {
    const end = rest.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const size = Number.parseInt(rest.slice(at, end), 16);
    if (size === 0)
      return rest.startsWith('\r\n', end + 2) ? { text, size: end + 4 } : trailersEnd(rest, end + 2, text);
    if (rest.length < end + 2 + size + 2) return undefined;
    text += rest.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}

function trailersEnd(rest: string, from: number, text: string): { text: string; size: number } | undefined {
  const end = rest.indexOf('\r\n\r\n', from);
  return end === -1 ? undefined : { text, size: end + 4 };
}

export interface RawClient {
  readonly socket: Socket;
  /** All bytes so far, in latin1. */
  bytes(): string;
  send(text: string): void;
  /** Resolves with all bytes once they satisfy the test; rejects when the connection ends before. */
  until(test: (bytes: string) => boolean): Promise<string>;
  /** Resolves with all bytes and how the connection ended. */
  end(): Promise<{ bytes: string; how: 'fin' | 'reset' }>;
}

export function rawClient(port: number): RawClient {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let bytes = '';
  let how: 'fin' | 'reset' | undefined;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const waiter of waiting) waiter();
  };
  socket.setNoDelay(true);
  socket.on('data', (chunk) => {
    bytes += chunk.toString('latin1');
    wake();
  });
  socket.on('end', () => {
    how ??= 'fin';
    socket.end();
    wake();
  });
  socket.on('error', () => {
    how ??= 'reset';
  });
  socket.on('close', () => {
    how ??= 'reset';
    wake();
  });
  atEnd(() => {
    socket.destroy();
  });
  const when = (test: () => boolean, failing: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!test() && !failing()) return;
        waiting.delete(look);
        if (test()) resolve();
        else reject(new Error(`the connection ended (${how}) after ${JSON.stringify(bytes)}`));
      };
      waiting.add(look);
      look();
    });
  return {
    socket,
    bytes: () => bytes,
    send: (text) => void socket.write(text, 'latin1'),
    async until(test) {
      await when(
        () => test(bytes),
        () => how !== undefined,
      );
      return bytes;
    },
    async end() {
      await when(
        () => how !== undefined,
        () => false,
      );
      return { bytes, how: how ?? 'reset' };
    },
  };
}

export interface RawResponse {
  readonly status: number;
  readonly reason: string;
  /** `Name: value` lines as they came. */
  readonly fields: readonly string[];
  readonly body: string;
}

/** Sends one request on a connection of its own and reads one whole answer. */
export async function exchange(port: number, request: string): Promise<RawResponse> {
  const client = rawClient(port);
  client.send(request);
  const bytes = await client.until((soFar) => responseOf(soFar) !== undefined);
  client.socket.destroy();
  return responseOf(bytes) as RawResponse;
}

/** The first whole response in the bytes, by its framing. */
export function responseOf(bytes: string): RawResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...fields] = bytes.slice(0, end).split('\r\n');
  const status = Number(line.split(' ')[1]);
  if (status >= 100 && status < 200 && status !== 101) return responseOf(bytes.slice(end + 4));
  const body = bodyOf(bytes.slice(end + 4), fields);
  return body && { status, reason: line.split(' ').slice(2).join(' '), fields, body: body.text };
}

/** A GET with more lines, if any. */
export function get(path: string, ...lines: readonly string[]): string {
  return [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
}

export function fieldValues(fields: readonly string[], name: string): string[] {
  return fields
    .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    .map((line) => line.slice(name.length + 1).trim());
}

export function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

export async function eventually(test: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let left = 400; left > 0; left -= 1) {
    if (await test()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`it never came to this: ${what}`);
}
