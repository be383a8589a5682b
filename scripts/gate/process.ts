import { spawn } from 'node:child_process';

/** How a command ended: its exit code (124 when it ran out of time), and everything it printed, both streams in order of arrival. */
export interface Ended {
  code: number;
  output: string;
}

interface RunOptions {
  /** Whether the output is also shown as it comes. */
  show?: boolean;
  /** Milliseconds until the command and its children are ended. */
  limit?: number;
  env?: NodeJS.ProcessEnv;
}

const quarterHour = 15 * 60_000;

/** Runs a command to its end. A command that hangs is ended with its children, because a gate that never answers is worse than a red one. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    let late = false;
    const take = (stream: NodeJS.WriteStream) => (chunk: Buffer) => {
      output += chunk.toString();
      if (options.show) stream.write(chunk);
    };
    const limit = options.limit ?? quarterHour;
    const timer = setTimeout(() => {
      late = true;
      output += `\n${command} was still running after ${limit / 1000} s and was ended\n`;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limit);
    child.stdout.on('data', take(process.stdout));
    child.stderr.on('data', take(process.stderr));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: late ? 124 : (code ?? 143), output });
    });
  });
}

/** Runs a command on this terminal, input included. */
export function relay(command: string, args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 143, output: '' }));
  });
}
