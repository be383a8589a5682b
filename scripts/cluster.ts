/**
 * `npm run cluster -- [--number N] up|down|status|kubectl …|helm …|node …|build`: a real Kubernetes of one node on this machine, which
 * test/cluster/README.md explains. Exit code 0 when all is well, 1 when it failed, 2 when it was called wrongly; that of the program for `kubectl`,
 * `helm` and `node`.
 */
import { started } from './started.ts';

started('../test/cluster/main.ts');
