/**
 * From the files of a table to a serving; what takes long is a generator that gives way often.
 */
import { decodeInSteps } from '../table/decode.ts';
import type { EndpointsDocument } from '../table/document.ts';
import { decodeEndpoints } from '../table/endpoints.ts';
import { readTable, readText } from '../table/read.ts';
import { compileInSteps } from './match/compile.ts';
import type { CompiledTable } from './match/compile.ts';
import { createServing } from './serving.ts';
import type { Serving } from './serving.ts';
import type { SourceFiles } from './source.ts';

/** Name of the endpoints document in the mounted directory. */
export const endpointsFile = 'endpoints.json';

/** The text of the table in these files, and its hash. Throws one sentence if there is none, or only part of one. */
export async function tableText({
  byName,
  single,
}: SourceFiles): Promise<{ readonly text: string; readonly hash: string }> {
  if (single) return readText(single);
  const found = await readTable((name) => byName.get(name));
  if (found.unusable !== undefined) throw new Error(found.unusable);
  return found;
}

/** What a reload takes over from the serving before it. */
export interface Previous {
  readonly serving: Serving | undefined;
  readonly endpoints: EndpointsDocument | undefined;
}

/** Throws TableError, which names the place, if the text is no valid table. */
export function* compileServing(text: string, previous: Previous): Generator<void, Serving> {
  const table = yield* decodeInSteps(text);
  yield;
  const compiled = yield* compileInSteps(table, previous.serving?.compiled);
  return createServing(compiled, previous.endpoints);
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
