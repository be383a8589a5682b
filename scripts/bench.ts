/**
 * `npm run bench [-- --only PART,PART] [-- --quick] [-- --list]`: the measurements of test/perf, which its README explains.
 * Exit code 0 when all was measured, 1 when a check failed, 2 when it was called wrongly or a tool is missing.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const child = spawn(process.execPath, ['test/perf/main.ts', ...process.argv.slice(2)], { stdio: 'inherit' });

// The measurements tear down what they started before they end; leaving earlier would leave them running behind the prompt.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
for (const signal of signals) process.on(signal, () => void child.kill(signal));

child.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 2;
});
child.on('close', (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
});
