/**
 * What a run of the benchmark leaves behind unless somebody takes it away: processes and a temporary folder. Everything is taken away by
 * `close`, which also runs when the benchmark is interrupted.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StartOptions {
  /** Core the process is kept to; that of the load if absent. */
  readonly core?: number;
  /** A channel for messages, for a child that is Node. */
  readonly talks?: boolean;
}

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  /** What it wrote to its standard error so far. */
  readonly errors: () => string;
}

export interface Workshop {
  /** Temporary folder. */
  readonly folder: string;
  start(command: string, args: readonly string[], options?: StartOptions): Started;
  /** Runs to the end and gives what was written to standard output. Rejects if the exit code is not 0. */
  run(command: string, args: readonly string[], options?: StartOptions): Promise<string>;
  stop(started: Started): Promise<void>;
  /** Something else to be ended with the workshop: a server or a load in this process. */
  atEnd(ending: () => void): void;
  /** A port nobody listens on. */
  freePort(): Promise<number>;
  close(): Promise<void>;
}

/** How long a process may take to end by itself. */
const politeMs = 2000;

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const running = new Set<ChildProcess>();
  const endings: (() => void)[] = [];
  const start = (command: string, args: readonly string[], { core, talks = false }: StartOptions = {}): Started => {
    const [file, all] = core === undefined ? [command, args] : ['taskset', ['-c', String(core), command, ...args]];
    const child = spawn(file, all, { stdio: ['ignore', 'pipe', 'pipe', ...(talks ? (['ipc'] as const) : [])] });
    let errors = '';
    running.add(child);
    child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2048)));
    child.on('error', (error) => (errors += error.message));
    child.once('close', () => running.delete(child));
    return { child, pid: child.pid ?? -1, errors: () => errors };
  };
  const stop = async ({ child }: Pick<Started, 'child'>): Promise<void> => {
    if (!running.has(child)) return;
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), politeMs);
    await closed;
    clearTimeout(timer);
  };
  return {
    folder,
    start,
    async run(command, args, options) {
      const started = start(command, args, options);
      let output = '';
      started.child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const code = await new Promise((resolve) => started.child.once('close', resolve));
      if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${started.errors() || output}`);
      return output;
    },
    stop,
    atEnd: (ending) => void endings.push(ending),
    freePort,
    async close() {
      for (const end of endings.splice(0).toReversed()) end();
      await Promise.all([...running].map((child) => stop({ child })));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
