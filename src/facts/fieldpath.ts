/** A field of an object, from the outside in. */
export type Path = readonly (string | number)[];

/** `spec.rules[0].matches[1]`; a key that is no plain word stands in brackets: `metadata.labels["a.b/c"]`. */
export function pathText(path: Path): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[A-Za-z_$][\w$-]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
  });
  return parts.join('').replace(/^\./, '');
}
