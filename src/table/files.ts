/** Names and forms of the files a table is published as; what `pack.ts` writes and `read.ts` reads. */

/** How the text is published. */
export type TableForm = 'text' | 'gzip' | 'shards';

/** A small plain file beside the table: it names the whole that the parts must add up to. */
export interface TableMeta {
  /** Of the document. */
  readonly schema: string;
  /** `tableHash` of the text. */
  readonly hash: string;
  readonly form: TableForm;
  /** Files the text is in; more than one only as shards. */
  readonly parts: number;
  /** Of the text, in UTF-8. */
  readonly bytes: number;
}

export const metaFile = 'table.meta.json';
export const textFile = 'table.json';
export const gzipFile = 'table.json.gz';

/** Shards are numbered from 0; shard n is in ConfigMap n. */
export function shardFile(index: number): string {
  return `${gzipFile}.${index}`;
}
