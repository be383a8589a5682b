/** The published text of a table, put together again from the files of a mounted directory. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { gzipFile, metaFile, shardFile, textFile, type TableForm, type TableMeta } from './files.ts';
import { tableHash } from './hash.ts';

/** Content of a file by name; undefined if there is none. All of one call must come from one state of the directory. */
export type ReadFile = (name: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** The text and what it really is named; or one sentence that says why there is no text, the last good one being kept. */
export type ReadTable =
  | { readonly text: string; readonly hash: string; readonly unusable?: never }
  | { readonly unusable: string };

/** More than any table we publish unpacks to; whoever writes the ConfigMap could otherwise fill the memory of the proxy. */
const mostBytes = 256 * 1024 * 1024;
const unpack = promisify(gunzip);

/**
 * Reads what `packTable` wrote. Without the meta file the form is that of the file that is there, so a directory with only
 * `table.json` works, as does a file by any name through `readText`.
 *
 * Shards come from several ConfigMaps, which a kubelet refreshes one by one: until all are of one table they are unusable.
 * A text of one file is taken as it is, also if someone edited it and left the meta file alone: the hash tells.
 */
export async function readTable(read: ReadFile): Promise<ReadTable> {
  const meta = parseMeta(await read(metaFile));
  if (typeof meta === 'string') return { unusable: meta };
  const form = meta?.form ?? ((await read(textFile)) === undefined ? 'gzip' : 'text');
  const parts: Uint8Array[] = [];
  for (const name of partNames(form, meta?.parts ?? 1)) {
    const part = await read(name);
    if (part === undefined) return { unusable: `The file ${name} is not there (yet).` };
    parts.push(part);
  }
  const joined = Buffer.concat(parts);
  if (form === 'text') return readText(joined);
  const unpacked = await unzip(joined);
  return typeof unpacked === 'string' ? { unusable: unpacked } : verified(readText(unpacked), meta);
}

/** The text of one plain file. */
export function readText(content: Uint8Array): { readonly text: string; readonly hash: string } {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8');
  return { text, hash: tableHash(text) };
}

function verified(found: { readonly text: string; readonly hash: string }, meta: TableMeta | undefined): ReadTable {
  if (meta === undefined || meta.hash === found.hash) return found;
  return { unusable: `The parts make a table ${short(found.hash)}, not ${short(meta.hash)} as ${metaFile} says.` };
}

function partNames(form: TableForm, parts: number): string[] {
  if (form === 'shards') return Array.from({ length: parts }, (_, index) => shardFile(index));
  return [form === 'text' ? textFile : gzipFile];
}

/** Off the event loop, in large pieces. */
async function unzip(zipped: Uint8Array): Promise<Uint8Array | string> {
  try {
    return await unpack(zipped, { maxOutputLength: mostBytes, chunkSize: 1024 * 1024 });
  } catch (error) {
    return `The parts do not unpack: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

function parseMeta(content: Uint8Array | undefined): TableMeta | string | undefined {
  if (content === undefined) return undefined;
  try {
    const meta: unknown = JSON.parse(readText(content).text);
    return isMeta(meta) ? meta : `${metaFile} does not say form, parts and hash.`;
  } catch {
    return `${metaFile} is not JSON.`;
  }
}

function isMeta(meta: unknown): meta is TableMeta {
  if (typeof meta !== 'object' || meta === null) return false;
  const { form, parts, hash } = meta as Partial<TableMeta>;
  const formKnown = form === 'text' || form === 'gzip' || form === 'shards';
  return formKnown && typeof hash === 'string' && Number.isInteger(parts) && Number(parts) >= 1 && Number(parts) <= 64;
}

function short(hash: string): string {
  return hash.slice(0, 12);
}
