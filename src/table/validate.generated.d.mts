/** Types of the validators that scripts/table-schema.ts writes. */
import type { EndpointsDocument, HostRows, RoutingTable, TableBackend, TableListener, TableRow, TableRule } from './document.ts';

/** A validator leaves what it found wrong in its own `errors`. */
export interface Validator<T> {
  (data: unknown): data is T;
  errors?: readonly { readonly instancePath: string; readonly message?: string; readonly params: Readonly<Record<string, unknown>> }[] | null;
}

export const head: Validator<Pick<RoutingTable, 'schema' | 'plane'>>;
export const listener: Validator<TableListener>;
export const bucket: Validator<Pick<HostRows, 'host'>>;
export const row: Validator<TableRow>;
export const rule: Validator<TableRule>;
export const backend: Validator<TableBackend>;
export const endpoints: Validator<EndpointsDocument>;
