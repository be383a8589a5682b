/** Starts cfgwctl. */
import { run } from './run.ts';

await run(process.argv.slice(2), { out: process.stdout, err: process.stderr });
