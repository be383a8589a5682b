/** What a log line may hold: plain JSON, with errors spelled out and secrets blanked by name and by look. */

const secretName = /authorization|cookie|token|secret|password|passwd|api[-_]?key|private[-_]?key|credential/i;
/** Bearer and basic credentials, and JSON web tokens, wherever they stand in a text. */
const secretText = /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const blank = '[redacted]';
const deepest = 6;

/** The value as it may be logged under this name. Cycles and depths beyond six become a word. */
export function redacted(name: string, value: unknown, depth = 0): unknown {
  if (secretName.test(name) && value !== undefined && value !== null && typeof value !== 'boolean' && typeof value !== 'number') return blank;
  if (typeof value === 'string') return value.replace(secretText, blank);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return '[deep]';
  if (value instanceof Error) return errorFields(value, depth);
  if (value instanceof Date) return value.toJSON();
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redacted('', item, depth + 1));
  if (value instanceof Map) return redacted('', Object.fromEntries(value), depth + 1);
  if (value instanceof Set) return redacted('', [...value], depth + 1);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(key, item, depth + 1)]));
}

function errorFields(error: Error, depth: number): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(error).map(([key, item]) => [key, redacted(key, item, depth + 1)]));
  const cause = error.cause === undefined ? {} : { cause: redacted('cause', error.cause, depth + 1) };
  return {
    ...own,
    ...cause,
    name: error.name,
    message: error.message.replace(secretText, blank),
    stack: error.stack?.replace(secretText, blank),
  };
}
