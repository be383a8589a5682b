import { glob, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileMessage } from './message.ts';

/** A text to read manifests from. */
export interface Input {
  /** As messages name it: the path as it was given, below a directory with the rest of the way. */
  readonly file: string;
  readonly text: string;
}

/** Files that stand beside manifests and are none; in a directory they are passed over. */
const companions = new Set([
  'kustomization.yaml',
  'kustomization.yml',
  'Chart.yaml',
  'values.yaml',
  'values.schema.json',
]);

/** Whether a file is known by its name to be no manifest. */
function isCompanion(file: string): boolean {
  return companions.has(basename(file));
}

interface Found {
  readonly path: string;
  /** Named on the command line itself, not found in a directory or by a pattern. */
  readonly named: boolean;
}

type Tell = (message: FileMessage) => void;

/**
 * Reads what the command line names: files, directories (with all below them, in a fixed order; only .yaml, .yml and .json,
 * nothing hidden), glob patterns and `-` for `stdin`. A file that is named twice is read once. What cannot be read is told.
 */
export async function readInputs(
  inputs: readonly string[],
  stdin: () => AsyncIterable<string | Uint8Array>,
  tell: Tell,
): Promise<readonly Input[]> {
  const read: Input[] = [];
  const seen = new Set<string>();
  for (const input of inputs) {
    if (input === '-') {
      const text = seen.has('-') ? undefined : decode('<stdin>', await bytesOf(stdin()), tell);
      seen.add('-');
      if (text !== undefined) read.push({ file: '<stdin>', text });
      continue;
    }
    for (const found of await find(input, tell)) {
      const text = await readOnce(found, seen, tell);
      if (text !== undefined) read.push({ file: found.path, text });
    }
  }
  return read;
}

/** A message about a file as a whole. */
function aboutFile(file: string, severity: FileMessage['severity'], message: string): FileMessage {
  return { severity, position: { file, line: 1, column: 1 }, message };
}

async function find(input: string, tell: Tell): Promise<readonly Found[]> {
  const status = await stat(input).catch(() => undefined);
  if (status?.isDirectory()) return (await below(input, new Set())).map((path) => ({ path, named: false }));
  if (status !== undefined) return [{ path: input, named: true }];
  if (!/[*?[\]{}]/.test(input)) {
    tell(aboutFile(input, 'error', 'does not exist'));
    return [];
  }
  const matches: string[] = [];
  for await (const match of glob(input)) matches.push(match);
  if (matches.length === 0) tell(aboutFile(input, 'error', 'is a pattern that no file matches'));
  const found: Found[] = [];
  for (const path of matches.toSorted(byText)) {
    if ((await stat(path)).isFile()) found.push({ path, named: false });
  }
  return found;
}

/** The manifests in a directory and below it; a directory that links lead to again is not entered again. */
async function below(directory: string, entered: Set<string>): Promise<readonly string[]> {
  const real = await realpath(directory);
  if (entered.has(real)) return [];
  entered.add(real);
  const paths: string[] = [];
  for (const name of (await readdir(directory)).toSorted(byText)) {
    if (name.startsWith('.')) continue;
    const path = join(directory, name);
    const status = await stat(path).catch(() => undefined);
    if (status?.isDirectory()) paths.push(...(await below(path, entered)));
    else if (status?.isFile() && /\.(ya?ml|json)$/.test(name)) paths.push(path);
  }
  return paths;
}

function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

async function readOnce({ path, named }: Found, seen: Set<string>, tell: Tell): Promise<string | undefined> {
  if (isCompanion(path)) {
    const message = named
      ? 'is no manifest; name the manifests themselves, or their directory'
      : 'is no manifest, skipped';
    tell(aboutFile(path, named ? 'error' : 'note', message));
    return undefined;
  }
  try {
    const real = await realpath(path);
    if (seen.has(real)) return undefined;
    seen.add(real);
    return decode(path, await readFile(path), tell);
  } catch (error) {
    tell(aboutFile(path, 'error', `cannot be read: ${error instanceof Error ? error.message : String(error)}`));
    return undefined;
  }
}

async function bytesOf(stream: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

function decode(file: string, bytes: Uint8Array, tell: Tell): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    tell(aboutFile(file, 'error', 'is no text in UTF-8'));
    return undefined;
  }
}
