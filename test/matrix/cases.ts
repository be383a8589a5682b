/** The router cases: one list, which every matcher must satisfy. `none` is a 404. */
import type { RouterCase } from './cases/case.ts';
import { conditions } from './cases/conditions.ts';
import { hosts } from './cases/hosts.ts';
import { isolation } from './cases/isolation.ts';
import { paths } from './cases/paths.ts';

export const cases: readonly RouterCase[] = [...paths, ...conditions, ...hosts, ...isolation];
