/**
 * `npm run cluster -- [--number N] up|down|status|kubectl …|helm …|node …|build`: a real Kubernetes of one node on this machine, which
 * test/cluster/README.md explains. Exit code 0 when all is well, 1 when it failed, 2 when it was called wrongly; that of the program for `kubectl`,
 * `helm` and `node`.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../test/cluster/main.ts', import.meta.url));
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
