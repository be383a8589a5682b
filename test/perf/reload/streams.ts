/** Streams that stay open through every swap: WebSockets that echo, and long answers that go on line by line. */
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { TableBackend } from '../../../src/table/document.ts';

export const streamHost = 'streams.example.com';
const ofEach = 4;
const pauseMs = 25;

export interface StreamBackend {
  readonly backend: TableBackend;
  readonly close: () => void;
}

/** Answers an upgrade by a WebSocket that echoes, and every request by numbered lines without an end. */
export async function startStreamBackend(): Promise<StreamBackend> {
  const server = createServer((_req, res) => {
    let line = 0;
    const timer = setInterval(() => res.write(`${(line += 1)}\n`), pauseMs);
    res.once('close', () => clearInterval(timer));
  });
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('message', (data) => socket.send(data));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    backend: { host: '127.0.0.1', port, protocol: 'http1', websocket: true },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface Streams {
  readonly open: number;
  /** Messages and lines that came in order. */
  messages(): number;
  /** What went wrong, a sentence each: a stream that ended, or one that skipped something. */
  readonly faults: readonly string[];
  readonly stop: () => void;
}

/** Opens the streams through the proxy; resolves when something has come on each of them. */
export async function openStreams(port: number): Promise<Streams> {
  const faults: string[] = [];
  const last: number[] = [];
  const endings: (() => void)[] = [];
  let isStopped = false;
  const fault = (what: string): void => {
    if (!isStopped) faults.push(what);
  };
  const take = (stream: number, name: string, number: number): void => {
    if (number !== (last[stream] ?? 0) + 1) fault(`${name} had ${last[stream] ?? 0} and then ${number}`);
    last[stream] = number;
  };
  for (let index = 0; index < ofEach; index += 1) {
    endings.push(openSocket(port, fault, (number) => take(index, `WebSocket ${index}`, number)));
    endings.push(openLongAnswer(port, fault, (number) => take(ofEach + index, `long answer ${index}`, number)));
  }
  const deadline = performance.now() + 5000;
  while (Array.from({ length: 2 * ofEach }, (_, index) => last[index] ?? 0).includes(0)) {
    if (performance.now() > deadline) throw new Error(`not every stream opened: ${faults.join('; ')}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return {
    open: 2 * ofEach,
    messages: () => last.reduce((sum, count) => sum + count, 0),
    faults,
    stop() {
      isStopped = true;
      for (const end of endings) end();
    },
  };
}

function openSocket(port: number, fault: (what: string) => void, take: (number: number) => void): () => void {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { Host: streamHost } });
  let number = 0;
  const timer = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.send(String((number += 1)));
  }, pauseMs);
  socket.on('message', (data: Buffer) => take(Number(data.toString())));
  socket.on('error', (error) => fault(`a WebSocket failed: ${error.message}`));
  socket.on('close', (code) => fault(`a WebSocket was closed with ${code}`));
  return () => {
    clearInterval(timer);
    socket.terminate();
  };
}

function openLongAnswer(port: number, fault: (what: string) => void, take: (number: number) => void): () => void {
  const request = get(
    { host: '127.0.0.1', port, path: '/long', headers: { Host: streamHost }, agent: false },
    (res) => {
      let rest = '';
      res.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) take(Number(line));
      });
      res.on('error', (error) => fault(`a long answer failed: ${error.message}`));
      res.on('end', () => fault('a long answer ended'));
    },
  );
  request.on('error', (error) => fault(`a long answer failed: ${error.message}`));
  return () => void request.destroy();
}
