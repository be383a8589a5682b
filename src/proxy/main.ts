/**
 * Entry of the proxy's bundle: runs it when started by Node, and gives `runProxy` to `cfgwctl proxy`, which loads the bundle.
 */
import { runProxy } from './run.ts';

export { runProxy };

if (import.meta.main) process.exitCode = await runProxy(process.argv.slice(2));
