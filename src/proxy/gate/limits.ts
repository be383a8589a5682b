/** What the gate admits. Bytes of a request are counted as they came. */
export interface Limits {
  /** Bytes of all field names and values with their separators. */
  readonly fieldBytes: number;
  /** Field lines. */
  readonly fieldCount: number;
  /** Bytes of the request target. */
  readonly targetBytes: number;
}

/** Of the tunnel door, where the edge has its own (decisions, "Gate limits"), and of in-cluster doors (anchors C4). */
export const limits = {
  tunnel: { fieldBytes: 128 * 1024, fieldCount: 500, targetBytes: 32 * 1024 },
  listener: { fieldBytes: 16 * 1024, fieldCount: 100, targetBytes: 8 * 1024 },
} as const satisfies Record<string, Limits>;

/**
 * What Node's own parser is told: enough for the largest head the gate admits, so that the gate is the one that refuses. Its
 * `maxHeadersCount` stays unlimited, because it drops fields above the limit silently.
 */
export const parserHeadBytes = limits.tunnel.fieldBytes + limits.tunnel.targetBytes + 8 * 1024;
