/** Starts the operator; loaded by cfgwctl it only gives `runOperator`. */
import { runOperator } from './run.ts';

export { runOperator };

if (import.meta.main) process.exitCode = await runOperator(process.argv.slice(2));
