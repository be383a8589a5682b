/**
 * From the files of a table to a serving, as a generator that gives way often.
 */
import { decodeInSteps } from '../table/decode.ts';
import type { EndpointsDocument } from '../table/document.ts';
import { decodeEndpoints } from '../table/endpoints.ts';
import { tableHash } from '../table/hash.ts';
import { compileInSteps } from './match/compile.ts';
import type { CompiledTable } from './match/compile.ts';
import { createServing } from './serving.ts';
import type { Serving } from './serving.ts';
import type { SourceFiles } from './source.ts';

/** Name of the endpoints document in the mounted directory. */
export const endpointsFile = 'endpoints.json';

export interface Compiled {
  readonly serving: Serving;
  readonly hash: string;
}

/** What a reload takes over from the serving before it. */
export interface Previous {
  readonly serving: Serving | undefined;
  readonly endpoints: EndpointsDocument | undefined;
}

/** Throws one sentence that names the fault if the files hold no valid table. */
export function* compileServing(files: SourceFiles, previous: Previous): Generator<void, Compiled> {
  const [file] = files.values();
  if (!file) throw new Error('there is no table file');
  const text = file.toString();
  yield;
  const table = yield* decodeInSteps(text);
  yield;
  const compiled = yield* compileInSteps(table, previous.serving?.compiled);
  return { serving: createServing(compiled, previous.endpoints), hash: tableHash(text) };
}

/** One sentence for each row that answers nothing because a pattern of it does not compile. */
export function skippedRows({ skipped }: CompiledTable): string[] {
  return skipped.map(
    ({ host, ruleId, pattern, cause }) =>
      `host ${host}, rule ${ruleId}: the pattern ${pattern} does not compile: ${cause}`,
  );
}

/** Throws TableError if the document is not valid. */
export function readEndpoints(file: Buffer): EndpointsDocument {
  return decodeEndpoints(file.toString());
}
