/** Runs the built cfgwctl, as a person would: once, or as a server until the end of the quickstart. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cleanup } from './cleanup.ts';

const program = 'dist/cfgwctl.mjs';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `cfgwctl ARGS…` to its end. */
export async function cfgwctl(args: readonly string[], signal: AbortSignal): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], signal });
  const stdout = collected(child, 'stdout');
  const stderr = collected(child, 'stderr');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

export interface Serving {
  readonly gateway: string;
  /** Where it serves, on 127.0.0.1. */
  readonly port: number;
  /** Everything it has said so far. */
  said(): string;
}

export interface ServeOptions {
  readonly manifests: string;
  readonly gateway: string;
  readonly port: number;
  readonly adminPort: number;
  /** `NS/SERVICE:PORT=HOST:PORT`. */
  readonly backends: readonly string[];
}

/** Starts `cfgwctl serve` for one Gateway and waits until it is ready. Throws with what it said if it ends or never becomes ready. */
export async function serve(options: ServeOptions, cleanup: Cleanup, signal: AbortSignal): Promise<Serving> {
  const { gateway, port, adminPort } = options;
  const child = spawn(process.execPath, [program, ...serveArguments(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
  cleanup.add(() => stop(child));
  const said = collected(child, 'stderr');
  collected(child, 'stdout');
  const ready = `http://127.0.0.1:${adminPort}/readyz`;
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50, undefined, { signal })) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`cfgwctl serve for Gateway ${gateway} ended before it was ready. It said:\n${said()}`);
    if (await isReady(ready)) return { gateway, port, said };
  }
  throw new Error(`cfgwctl serve for Gateway ${gateway} was not ready within 30 s. It said:\n${said()}`);
}

function serveArguments({ manifests, gateway, port, adminPort, backends }: ServeOptions): string[] {
  const addresses = { '--listen': `127.0.0.1:${port}`, '--admin': `127.0.0.1:${adminPort}` };
  const flags = [...Object.entries(addresses), ...backends.map((backend) => ['--backend', backend])];
  return ['serve', '-f', manifests, '--gateway', gateway, ...flags.flat()];
}

function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(url, { timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.on('error', () => resolve(false));
    probe.on('timeout', () => probe.destroy());
    probe.end();
  });
}

function collected(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

/** Asks the process to end and, if it does not within five seconds, ends it. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(timer);
}
