/** The two halves of a key made of a plane and something else, `<plane> <host>` or `<plane> <route>`. */
export function splitPair(key: string): readonly [string, string] {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
}
