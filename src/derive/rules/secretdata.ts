import type { Secret } from './collections.ts';

/** The text under a key of a Secret; nothing where there is none, or nothing but space. The value never goes into a result. */
export function secretText({ data }: Secret, key: string): string | undefined {
  const encoded = data?.[key];
  if (encoded === undefined) return undefined;
  try {
    const text = atob(encoded).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What a Secret lacks of `keys`: a sentence, or nothing. */
export function lacking(name: string, secret: Secret, keys: readonly string[]): string | undefined {
  const missing = keys.filter((key) => secretText(secret, key) === undefined);
  if (missing.length === 0) return undefined;
  return `Secret ${name} lacks the ${missing.length === 1 ? 'key' : 'keys'} ${missing.join(' and ')}; add ${missing.length === 1 ? 'it' : 'them'}`;
}
