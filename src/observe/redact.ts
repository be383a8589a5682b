/** What a log line may hold: plain JSON, with errors spelled out and secrets blanked by name and by look. */

const secretName = /authorization|cookie|token|secret|password|passwd|api[-_]?key|private[-_]?key|credential/i;
/** Bearer and basic credentials, and JSON web tokens, wherever they stand in a text. */
const secretText = /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}|\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;
const blank = '[redacted]';
const deepest = 6;

/** The value as it may be logged under this name. Cycles and depths beyond six become a word. */
export function redacted(name: string, value: unknown, depth = 0): unknown {
  if (isSecret(name, value)) return blank;
  if (typeof value === 'object' && value !== null) return depth < deepest ? plain(value, depth + 1) : '[deep]';
  return scalar(value);
}

/** A number or a yes under such a name is no secret: `tokens: 3`, `hasPassword: true`. */
function isSecret(name: string, value: unknown): boolean {
  return secretName.test(name) && (typeof value === 'string' || typeof value === 'object') && value !== null;
}

function scalar(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(secretText, blank);
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'function' || typeof value === 'symbol' ? `[${typeof value}]` : value;
}

function plain(value: object, depth: number): unknown {
  if (value instanceof Error) return errorFields(value, depth);
  if (value instanceof Date) return value.toJSON();
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (value instanceof Set) return [...value].map((item) => redacted('', item, depth));
  if (Array.isArray(value)) return value.map((item) => redacted('', item, depth));
  const entries =
    value instanceof Map
      ? [...value].map(([key, item]): [string, unknown] => [String(key), item])
      : Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, redacted(key, item, depth)]));
}

function errorFields(error: Error, depth: number): Record<string, unknown> {
  const own = Object.fromEntries(Object.entries(error).map(([key, item]) => [key, redacted(key, item, depth)]));
  const cause = error.cause === undefined ? {} : { cause: redacted('cause', error.cause, depth) };
  return {
    ...own,
    ...cause,
    name: error.name,
    message: error.message.replace(secretText, blank),
    stack: error.stack?.replace(secretText, blank),
  };
}
