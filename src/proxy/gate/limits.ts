/** Limits of the tunnel door (decisions, "Gate limits"). */
export const limits = {
  /** Bytes of all field names and values with their separators. */
  fieldBytes: 128 * 1024,
  /** Field lines. */
  fieldCount: 500,
  /** Bytes of the request target. */
  targetBytes: 32 * 1024,
} as const;

/**
 * What Node's own parser is told: enough for the largest head the gate admits, so that the gate is the one that refuses. Its
 * `maxHeadersCount` stays unlimited, because it drops fields above the limit silently.
 */
export const parserHeadBytes = limits.fieldBytes + limits.targetBytes + 8 * 1024;
