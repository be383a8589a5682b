/** A plain scalar as kubectl reads it. `unreadable` says why kubectl, or we, cannot read it. */
export type PlainScalar = { readonly value: null | boolean | number | string } | { readonly unreadable: string };

const words = new Map<string, null | boolean>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE', 'y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE', 'n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
]);

const INTEGER = /^[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const NOT_FINITE = /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/;

/**
 * Reads an unquoted scalar as kubectl does (go-yaml v2 beneath sigs.k8s.io/yaml): YAML 1.1 in part, with octal numbers,
 * underscores in numbers and `on`, `yes`, `n`, but with neither dates nor base 60. An integer that a JSON reader would round
 * cannot be read: Kubernetes keeps 64 bits, JavaScript does not.
 */
export function readPlainScalar(text: string): PlainScalar {
  const word = words.get(text);
  if (word !== undefined) return { value: word };
  if (NOT_FINITE.test(text)) return { unreadable: 'is no number that JSON has' };
  if (!/^[-+.0-9]/.test(text)) return { value: text };
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  if (INTEGER.test(digits)) return integer(digits);
  const number = FLOAT.test(digits) ? Number(digits) : Infinity;
  return { value: Number.isFinite(number) ? number : text };
}

function integer(digits: string): PlainScalar {
  const unsigned = digits.replace(/^[-+]/, '');
  const size = Number(BigInt(/^0[0-7]/.test(unsigned) ? `0o${unsigned.slice(1)}` : unsigned.toLowerCase()));
  if (!Number.isSafeInteger(size))
    return { unreadable: 'is an integer beyond 2^53, which is not kept exactly; put it in quotes if it is a text' };
  return { value: digits.startsWith('-') && size !== 0 ? -size : size };
}
