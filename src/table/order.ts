/** The orders of the document, so that equal facts give equal bytes. */

/** By code units: the same on every machine, unlike a locale's order. */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Host buckets as they are tried: exact names sorted, then wildcards with most labels first (then by name), then `*`. */
export function compareHosts(a: string, b: string): number {
  return labelsOfWildcard(b) - labelsOfWildcard(a) || compareIds(a, b);
}

/** Exact names come before every wildcard, and the lone `*`, with one label, comes last. */
function labelsOfWildcard(host: string): number {
  return host.startsWith('*') ? host.split('.').length : Number.MAX_SAFE_INTEGER;
}
