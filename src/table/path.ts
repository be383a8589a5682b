/**
 * The one normal form of a path. The gate applies it to every request and the rules apply it to every match value, so
 * that the path that is compared is the path that is sent. Source: RFC 3986 §2.3, §5.2.4, §6.2.2; decisions, "Path".
 */

/** Either the normal form, or one sentence that says why there is none (the gate answers 400). */
export type NormalPath =
  | { readonly path: string; readonly refused?: never }
  | { readonly refused: string; readonly path?: never };

const slash = 0x2f;
const brokenEscape = /%(?![0-9A-Fa-f]{2})/;
const nul = '%00';
const escape = /%[0-9A-Fa-f]{2}/g;
const unreserved = /^[A-Za-z0-9._~-]$/;
/** What some back ends take for a separator once they have decoded it. */
const hiddenSeparator = /%2[Ff]|%5[Cc]/;

/**
 * Normal form of an absolute path without query.
 *
 * - Escapes of unreserved characters are decoded (`/%61dmin` is `/admin`); every other escape stays as written, case included.
 * - Dot segments are resolved; one that climbs above the root is refused.
 * - `//`, `%2F` and `%5C` stay and separate nothing, but a segment in which they would uncover a dot segment is refused.
 * - A raw `\`, which no URI may hold and which URL libraries turn into `/`, becomes `%5C`, with the same check.
 * - `%00` and broken escapes are refused.
 *
 * Idempotent: the normal form of a normal form is itself.
 */
export function normalPath(path: string): NormalPath {
  if (path.charCodeAt(0) !== slash) return { refused: 'the path does not begin with /' };
  if (isPlain(path)) return { path };
  if (brokenEscape.test(path)) return { refused: 'the path has a % that begins no escape' };
  if (path.includes(nul)) return { refused: 'the path holds %00' };
  return resolveDots(path.replace(escape, decodeUnreserved).replaceAll('\\', '%5C'));
}

/**
 * Value of a PathPrefix match as the table holds it: one trailing slash is ignored (Gateway API, PathMatchType), `/` stays.
 */
export function prefixValue(value: string): string {
  return value.length > 1 && value.endsWith('/') ? value.slice(0, -1) : value;
}

/** Nearly every request: nothing in it that the normal form could change. */
function isPlain(path: string): boolean {
  return !path.includes('%') && !path.includes('/.') && !path.includes('\\');
}

function decodeUnreserved(triplet: string): string {
  const character = String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
  return unreserved.test(character) ? character : triplet;
}

function resolveDots(path: string): NormalPath {
  const kept: string[] = [];
  const segments = path.slice(1).split('/');
  const last = segments.length - 1;
  for (const [index, segment] of segments.entries()) {
    if (!isDot(segment)) {
      if (hidesDot(segment)) return { refused: 'the path hides a dot segment behind an escaped separator' };
      kept.push(segment);
      continue;
    }
    if (segment === '..') {
      if (kept.length === 0) return { refused: 'the path climbs above the root' };
      kept.pop();
    }
    // A dot segment at the end names the directory itself, which is written with a trailing slash.
    if (index === last) kept.push('');
  }
  return { path: `/${kept.join('/')}` };
}

function isDot(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function hidesDot(segment: string): boolean {
  return hiddenSeparator.test(segment) && segment.split(hiddenSeparator).some(isDot);
}
