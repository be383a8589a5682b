/**
 * From the files of a table to a serving, as a generator that gives way often.
 */
import { decodeInSteps } from '../table/decode.ts';
import type { EndpointsDocument } from '../table/document.ts';
import { decodeEndpoints } from '../table/endpoints.ts';
import { tableHash } from '../table/hash.ts';
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
  const text = file.toString();
  yield;
  const table = yield* decodeInSteps(text);
  yield;
  return { serving: createServing(table, linearMatcher(table), endpoints), hash: tableHash(text), skipped: [] };
}

/** Throws TableError if the document is not valid. */
export function readEndpoints(file: Buffer): EndpointsDocument {
  return decodeEndpoints(file.toString());
}
