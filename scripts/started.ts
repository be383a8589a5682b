import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Starts a program of the tests with this process's arguments, and ends as it ends; `path` is relative to the folder of the scripts. */
export function started(path: string): void {
  const main = fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(process.execPath, [main, ...process.argv.slice(2)], { stdio: 'inherit' });

  // A start that is interrupted takes away what it began before it ends; leaving earlier would leave it running behind the prompt.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, () => void child.kill(signal));

  child.on('error', (error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
  child.on('close', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  });
}
