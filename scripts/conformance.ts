/**
 * `npm run conformance [-- --run-test NAME]… [-- --sample] [-- --cluster N]`: runs the conformance suite of the Gateway API, as it is, against the operator in a real
 * cluster; test/conformance/README.md says more. Exit code 0 when the suite ended with 0 and tests passed, 1 otherwise.
 */
import { started } from './started.ts';

started('../test/conformance/main.ts');
