/** Programs that go on until they are stopped: each writes to a log of its own, and dies with the process that started it. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly isRunning: () => boolean;
  /** Kills it; resolves when it has ended. */
  readonly end: () => Promise<void>;
  /** Sends it a signal; does nothing once it has ended. */
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The end of what it printed. */
  readonly lastWords: () => string;
}

interface LaunchOptions {
  /** What it is called in errors; its log is `<name>.log`. */
  readonly name: string;
  readonly logs: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether it goes on after the process that starts it has ended. */
  readonly outlives?: boolean;
}

/** Starts a program. Its standard output and errors go to its log. */
export function launch(command: readonly string[], options: LaunchOptions): Program {
  const { name, logs, env = process.env, outlives = false } = options;
  const path = join(logs, `${name}.log`);
  const log = openSync(path, 'a');
  // The kernel kills it when its starter dies, however that died: a killed run of the tests leaves no process.
  const [file = '', ...args] = outlives ? command : ['setpriv', '--pdeathsig', 'KILL', ...command];
  const child = spawn(file, args, { env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  let running = true;
  let failure = '';
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      running = false;
      resolve();
    };
    child.once('exit', end);
    child.once('error', (error) => {
      failure = error.message;
      end();
    });
  });
  child.unref();
  return {
    name,
    pid: child.pid ?? 0,
    isRunning: () => running,
    end: async () => {
      // Whoever waits for it must not end for want of anything else to do.
      child.ref();
      if (running) child.kill('SIGKILL');
      await ended;
    },
    signal: (signal) => void (running && child.kill(signal)),
    lastWords: () => failure || readFileSync(path, 'utf8').trim().slice(-2000),
  };
}

interface Wait {
  /** What is waited for, as the end of "gave up waiting for". */
  readonly what: string;
  /** If one of these ends, there is nothing left to wait for. */
  readonly programs?: readonly Program[];
  /** Seconds; 60 if absent. */
  readonly limit?: number;
}

/** Waits until `check` says true; a check that throws says false. Throws with the reason if that cannot be any more, or takes too long. */
export async function until(
  check: () => boolean | Promise<boolean>,
  { what, programs = [], limit = 60 }: Wait,
): Promise<void> {
  let reason = '';
  for (const end = performance.now() + limit * 1000; performance.now() < end; await sleep(25)) {
    const dead = programs.find((program) => !program.isRunning());
    if (dead !== undefined) throw new Error(`${dead.name} ended while ${what} was waited for: ${dead.lastWords()}`);
    try {
      if (await check()) return;
    } catch (error) {
      reason = `: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  const words = programs.map((program) => `\n${program.name}: ${program.lastWords().slice(-500)}`).join('');
  throw new Error(`gave up waiting for ${what} after ${limit} s${reason}${words}`);
}
