import type { CheckOptions } from '../schema/check.ts';
import { readDocuments, type ReadDocument } from './documents.ts';
import { flatten } from './flatten.ts';
import { readInputs } from './inputs.ts';
import type { FileMessage } from './message.ts';
import { candidateOf, readObject, remarked, type Candidate, type FileFact, type Objects } from './objects.ts';
import { locator, type Locate } from './position.ts';

export type { FileMessage } from './message.ts';
export type { FileFact } from './objects.ts';

/** What the files hold, and what is to be said about them. */
export interface FileFacts {
  /** The objects without errors, in the order of the files; also those of kinds that no rule reads. */
  readonly facts: readonly FileFact[];
  /** First about files as a whole, then file by file in the order of places. The input is bad if one of them is an error. */
  readonly messages: readonly FileMessage[];
}

/**
 * Reads Kubernetes objects from files, directories, glob patterns and `-` (stdin), and checks each as `kubectl apply` would.
 * Without `stdin` it is the process's own, touched only if it is asked for. Bad input makes messages, never an exception. The network is never used.
 */
export async function readFiles(
  inputs: readonly string[],
  stdin?: AsyncIterable<string | Uint8Array>,
  options: CheckOptions = { channel: 'auto' },
): Promise<FileFacts> {
  const messages: FileMessage[] = [];
  const texts = await readInputs(
    inputs,
    () => stdin ?? process.stdin,
    (message) => messages.push(message),
  );
  const objects: Objects = { facts: [], seen: new Map(), options };
  for (const { file, text } of texts) messages.push(...readText(locator(file, text), text, objects));
  return { facts: objects.facts, messages };
}

function readText(locate: Locate, text: string, objects: Objects): readonly FileMessage[] {
  const documents = readDocuments(text);
  if ('message' in documents) {
    return [{ severity: 'error', position: locate(documents.offset), message: documents.message }];
  }
  return documents.flatMap((document) => readDocument(document, locate, objects)).toSorted(byPlace);
}

function readDocument(
  { value, place, remarks }: ReadDocument,
  locate: Locate,
  objects: Objects,
): readonly FileMessage[] {
  const candidates = [...flatten(value)].map((item) => candidateOf(item, place, locate));
  const owned = Map.groupBy(remarks, ({ path }) => candidates.find((each) => isWithin(path, each)));
  return [
    ...(owned.get(undefined) ?? []).map((remark) => remarked(remark, { locate })),
    ...candidates.flatMap((candidate) => readObject(candidate, owned.get(candidate) ?? [], objects)),
  ];
}

function isWithin(path: Candidate['path'], candidate: Candidate): boolean {
  return candidate.path.every((part, index) => path[index] === part);
}

function byPlace({ position: one }: FileMessage, { position: other }: FileMessage): number {
  return one.line - other.line || one.column - other.column;
}
