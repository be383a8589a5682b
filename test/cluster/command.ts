/** Starting programs: one that is waited for, whose failure is an error that says what it printed. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Written to its standard input. */
  readonly input?: string | Buffer;
}

/** What a program came to: its exit code, and both its streams. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, whatever its exit code. Rejects only if it cannot be started. */
export function attempt(command: string, args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  const { cwd, env = process.env, input } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    // A program that does not read to the end is judged by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({
        code: code ?? 143,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
  });
}

/** Runs a program to its end and gives its standard output. Throws with the end of what it printed if its exit code is not 0. */
export async function run(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await attempt(command, args, options);
  if (code === 0) return stdout;
  throw new Error(
    `"${[command, ...args].join(' ')}" ended with ${code}: ${(stderr.trim() || stdout.trim()).slice(-4000)}`,
  );
}

/** Where administrators' programs stand, and Go as its own archive installs it; a user's PATH may lack both. */
const usualPlaces = ['/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/local/go/bin'];

/** Path of a program, if the machine has it. */
export function find(command: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...usualPlaces].filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, command)).find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
