/**
 * How a text is published in ConfigMaps, which hold 1 MiB each: as it is while it fits, else compressed, else compressed and
 * cut into shards. Compression is cached by content, so that a changed rule costs the compression of its neighbourhood.
 */
import { constants, gzipSync } from 'node:zlib';
import { gzipFile, metaFile, shardFile, textFile, type TableForm, type TableMeta } from './files.ts';
import { tableHash } from './hash.ts';

/** Bytes. ConfigMaps hold 1 MiB with their names and metadata, and base64 is not counted against it. */
const limits = { text: 768 * 1024, gzip: 900 * 1024, shards: 8 } as const;

/** A file of the published table. Text goes into `data`, bytes into `binaryData`. */
export interface PackedFile {
  /** Index of the ConfigMap; 0 is the one every table has. */
  readonly configMap: number;
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** A table ready to be written, or the refusal of one that no number of ConfigMaps we make could hold. */
export type PackedTable =
  | { readonly meta: TableMeta; readonly files: readonly PackedFile[]; readonly tooLarge?: never }
  | { readonly tooLarge: TooLarge };

/** Bytes after compression, and how many there may be. */
export interface TooLarge {
  readonly bytes: number;
  readonly limit: number;
}

/** Compressed groups of the last call, by their text. Keep one per table. */
export type PackCache = Map<string, Uint8Array>;

/** Bounds of a group in characters. Between them it ends at a line that its own text marks, not at a fixed distance. */
const group = { least: 32 * 1024, most: 128 * 1024 } as const;
const oneIn = 8;

/**
 * Packs a table's text. The result depends on nothing else: the cache only saves time, and afterwards holds the groups of
 * this text.
 */
export function packTable(schema: string, text: string, cache: PackCache = new Map()): PackedTable {
  const bytes = Buffer.byteLength(text);
  const metaOf = (form: TableForm, files: number): PackedFile & { readonly meta: TableMeta } => {
    const meta = { schema, hash: tableHash(text), form, parts: files, bytes };
    return { configMap: 0, name: metaFile, content: `${JSON.stringify(meta)}\n`, meta };
  };
  if (bytes <= limits.text) return packed(metaOf('text', 1), [{ configMap: 0, name: textFile, content: text }]);
  const zipped = Buffer.concat(compress(text, cache));
  const shards = Math.ceil(zipped.length / limits.gzip);
  if (shards > limits.shards) return { tooLarge: { bytes: zipped.length, limit: limits.gzip * limits.shards } };
  if (shards === 1) return packed(metaOf('gzip', 1), [{ configMap: 0, name: gzipFile, content: zipped }]);
  const files = Array.from({ length: shards }, (_, index) => ({
    configMap: index,
    name: shardFile(index),
    content: zipped.subarray(index * limits.gzip, (index + 1) * limits.gzip),
  }));
  return packed(metaOf('shards', shards), files);
}

function packed(
  { meta, ...metaPart }: PackedFile & { readonly meta: TableMeta },
  files: readonly PackedFile[],
): PackedTable {
  return { meta, files: [metaPart, ...files] };
}

/** One gzip member per group: members one after the other are a gzip file (RFC 1952 §2.2). */
function compress(text: string, cache: PackCache): Uint8Array[] {
  const members = groups(text).map((lines): [string, Uint8Array] => [lines, cache.get(lines) ?? member(lines)]);
  cache.clear();
  for (const [lines, bytes] of members) cache.set(lines, bytes);
  return members.map(([, bytes]) => bytes);
}

function member(lines: string): Uint8Array {
  return gzipSync(lines, { level: constants.Z_DEFAULT_COMPRESSION });
}

/** Groups whose bounds are found in the content, so that an insertion moves no bound but those beside it. */
function groups(text: string): string[] {
  const found: string[] = [];
  for (let from = 0, end = 0, line = 0; line < text.length; line = end) {
    end = text.indexOf('\n', line) + 1 || text.length;
    const size = end - from;
    const ends = size >= group.most || (size >= group.least && isMarked(text, line, end)) || end === text.length;
    if (!ends) continue;
    found.push(text.slice(from, end));
    from = end;
  }
  return found;
}

/** True for one line in eight, by its first characters (FNV-1a), which hold its name. */
function isMarked(text: string, start: number, lineEnd: number): boolean {
  let sum = 0x811c9dc5;
  const end = Math.min(lineEnd, start + 120);
  for (let at = start; at < end; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 8) % oneIn === 0;
}
