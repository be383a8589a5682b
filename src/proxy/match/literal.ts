/**
 * The literal text every match of a pattern must begin with, so that most patterns are ruled out by comparing a few
 * characters. It is read off the pattern's source, and cautiously: when in doubt it is empty, which rules out nothing.
 */

const plain = /^[A-Za-z0-9/_~@:;,=&%!"'<>#` -]$/;
/** Escaped punctuation is that character; an escaped letter or digit is something else. */
const escapedPunctuation = /^\\[!-/:-@[-`{-~]$/;
const quantifiers = new Set(['*', '+', '?', '{']);

/** Text that is not there when matching (flags, quotes), so that a quantifier behind it repeats what stands before it. */
const invisible = /\\[QE]|\(\?(?!:|P?<)/;

/** The prefix of every string that the RE2 pattern matches as a whole. */
export function literalPrefix(source: string): string {
  if (invisible.test(source) || hasAlternatives(source)) return '';
  let prefix = '';
  // A leading ^ changes nothing where the whole value is matched.
  let at = source.startsWith('^') ? 1 : 0;
  while (at < source.length) {
    const length = source[at] === '\\' ? 2 : 1;
    const token = source.slice(at, at + length);
    const isLiteral = length === 2 ? escapedPunctuation.test(token) : plain.test(token) || token === '}';
    // What is repeated may be repeated no times.
    if (!isLiteral || quantifiers.has(source[at + length] ?? '')) break;
    prefix += token.slice(-1);
    at += length;
  }
  return prefix;
}

/** Whether a | stands outside of every group and class. */
function hasAlternatives(source: string): boolean {
  if (!source.includes('|')) return false;
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '[') at = classEnd(source, at);
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) return true;
  }
  return false;
}

/** Where the character class that opens here closes. A ] that comes first is a member; so is all of `[:alpha:]`. */
function classEnd(source: string, open: number): number {
  let at = open + 1;
  if (source[at] === '^') at += 1;
  if (source[at] === ']') at += 1;
  for (; at < source.length && source[at] !== ']'; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source.startsWith('[:', at)) {
      const end = source.indexOf(':]', at + 2);
      if (end !== -1) at = end + 1;
    }
  }
  return at;
}
