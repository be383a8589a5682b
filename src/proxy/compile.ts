/**
 * From the files of a table to a serving, as a generator that gives way often.
 */
import type { EndpointsDocument, RoutingTable } from '../table/document.ts';
import { linearMatcher } from './match/linear.ts';
import { createServing } from './serving.ts';
import type { Serving } from './serving.ts';
import type { SourceFiles } from './source.ts';

/** Name of the endpoints document in the mounted directory. */
export const endpointsFile = 'endpoints.json';

export interface Compiled {
  readonly serving: Serving;
  readonly hash: string;
  /** One sentence for each rule or row that cannot be served. */
  readonly skipped: readonly string[];
}

/** Throws one sentence that names the fault if the files hold no valid table. */
export function* compileServing(files: SourceFiles, endpoints: EndpointsDocument | undefined): Generator<void, Compiled> {
  const [file] = files.values();
  if (!file) throw new Error('there is no table file');
  const table = JSON.parse(file.toString()) as RoutingTable;
  yield;
  return { serving: createServing(table, linearMatcher(table), endpoints), hash: '', skipped: [] };
}

/** Throws if the document is not JSON of that shape. */
export function readEndpoints(file: Buffer): EndpointsDocument {
  const document: unknown = JSON.parse(file.toString());
  if (typeof document !== 'object' || document === null || !('backends' in document)) throw new Error('the endpoints document has no "backends"');
  return document as EndpointsDocument;
}
