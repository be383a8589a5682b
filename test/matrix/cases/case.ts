/** What a router case is, and short forms that several of them use. */
import type { TableListener } from '../../../src/table/document.ts';
import type { Hosts, Request } from '../tables.ts';

export interface RouterCase {
  readonly title: string;
  readonly listeners?: readonly TableListener[];
  readonly hosts: Hosts;
  /** Request, and the rule that answers it. */
  readonly requests: readonly (readonly [Request, string])[];
}

export const app = (rows: Hosts[string]): Hosts => ({ 'app.example.com': rows });
export const to = (target: string): Request => ({ target });
export const at = (host: string, target = '/'): Request => ({ host, target });
