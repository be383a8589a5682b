/** Texts by path, `/` between its parts, relative to the directory that is written. */
export type Files = ReadonlyMap<string, string>;
