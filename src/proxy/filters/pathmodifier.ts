import type { PathModifier } from '../../table/document.ts';

/** What may not stand in a path as it is; written by a user as a character, sent as its escape. */
const illegal = /[^!-~]|["#<>?\\^`{|}]/gu;

/**
 * The path that HTTPPathModifier makes of a request path. `prefix` is the value of the prefix match that won; a row of another type has none
 * and keeps its path. Escapes in the part that is kept stay as they are (field case B-30).
 */
export function modifiedPath(modifier: PathModifier, path: string, prefix: string | undefined): string {
  if (modifier.type === 'ReplaceFullPath') return rooted(escaped(modifier.replaceFullPath));
  if (prefix === undefined) return path;
  const rest = path.slice(prefix === '/' ? 0 : prefix.length);
  const replacement = escaped(modifier.replacePrefixMatch);
  if (rest === '') return rooted(replacement);
  return rooted(replacement.endsWith('/') ? `${replacement.slice(0, -1)}${rest}` : `${replacement}${rest}`);
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function escaped(text: string): string {
  return text.replace(illegal, (character) => encodeURIComponent(character));
}
