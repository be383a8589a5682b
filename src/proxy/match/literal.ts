/**
 * The literal text every match of a pattern must begin with, and the one it must hold further on, so that most patterns are ruled
 * out by comparing a few characters. They are read off the pattern's source, and cautiously: when in doubt they are empty, which
 * rules out nothing.
 */

const plain = /^[A-Za-z0-9/_~@:;,=&%!"'<>#` -]$/;
/** Escaped punctuation is that character; an escaped letter or digit is something else. */
const escapedPunctuation = /^\\[!-/:-@[-`{-~]$/;
const quantifiers = new Set(['*', '+', '?', '{']);

/** Text that is not there when matching (flags, quotes), so that a quantifier behind it repeats what stands before it. */
const invisible = /\\[QE]|\(\?(?!:|P?<)/;

/** The prefix of every string that the RE2 pattern matches as a whole. */
export function literalPrefix(source: string): string {
  return isSimple(source) ? literalRun(source, start(source)).text : '';
}

/** Text that every such string holds somewhere behind that prefix: the longest that can be read off the source. */
export function literalWithin(source: string): string {
  if (!isSimple(source)) return '';
  let longest = '';
  let at: number | undefined = literalRun(source, start(source)).end;
  while (at !== undefined && at < source.length) {
    const { text, end } = literalRun(source, at);
    if (text.length > longest.length) longest = text;
    at = end === at ? pieceEnd(source, at) : end;
  }
  return longest;
}

/** A row of pieces that all have to be there. */
function isSimple(source: string): boolean {
  return !invisible.test(source) && !hasAlternatives(source);
}

/** A leading ^ changes nothing where the whole value is matched. */
function start(source: string): number {
  return source.startsWith('^') ? 1 : 0;
}

/** The characters from here on that stand for themselves, and where they end. */
function literalRun(source: string, from: number): { readonly text: string; readonly end: number } {
  let text = '';
  let at = from;
  while (at < source.length) {
    const length = source[at] === '\\' ? 2 : 1;
    const token = source.slice(at, at + length);
    const isLiteral = length === 2 ? escapedPunctuation.test(token) : plain.test(token) || token === '}';
    // What is repeated may be repeated no times.
    if (!isLiteral || quantifiers.has(source[at + length] ?? '')) break;
    text += token.slice(-1);
    at += length;
  }
  return { text, end: at };
}

/** Escapes of one letter, after which the next piece begins; others may take what follows with them, such as `\x41`. */
const shortEscape = /^\\[dDsSwWbB!-/:-@[-`{-~]/;
const repetition = /^\{\d*,?\d*\}/;

/** Where the piece ends that is no literal; `undefined` when that cannot be told with certainty. */
function pieceEnd(source: string, at: number): number | undefined {
  switch (source[at]) {
    case '[':
      return classEnd(source, at) + 1;
    case '(':
      return groupEnd(source, at) + 1;
    case '\\':
      return shortEscape.test(source.slice(at, at + 2)) ? at + 2 : undefined;
    case '{': {
      const [whole] = repetition.exec(source.slice(at)) ?? [];
      return whole === undefined ? undefined : at + whole.length;
    }
    default:
      return at + 1;
  }
}

/** Where the group that opens here closes. */
function groupEnd(source: string, open: number): number {
  let depth = 0;
  let at = open;
  for (; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '[') at = classEnd(source, at);
    else if (character === '(') depth += 1;
    else if (character === ')' && --depth === 0) break;
  }
  return at;
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
