/**
 * `npm run bench [-- --only PART,PART] [-- --quick] [-- --list]`: the measurements of test/perf, which its README explains.
 * Exit code 0 when all was measured, 1 when a check failed, 2 when it was called wrongly or a tool is missing.
 */
import { started } from './started.ts';

started('../test/perf/main.ts');
