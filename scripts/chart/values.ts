/** values.yaml as its readers see it: each value with the comment above it and its default. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { chartFolder } from './output.ts';

/** A line of the table in the README. */
export interface Value {
  /** `config.clusterName`. */
  readonly path: string;
  readonly description: string;
  readonly default: unknown;
  /** The heading (`## …`) that it stands under. */
  readonly section: string;
}

interface Open {
  readonly key: string;
  readonly indent: number;
}

/** The values of the chart that have a comment, in the order of the file. Comments stand directly above their value. */
export function readValues(): readonly Value[] {
  const text = readFileSync(new URL('values.yaml', chartFolder), 'utf8');
  const defaults: unknown = parse(text);
  const documented: Value[] = [];
  const open: Open[] = [];
  let comment: string[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const [, words] = /^ *# (.*)/.exec(line) ?? [];
    const path = pathOf(line, open);
    if (path !== undefined && comment.length > 0)
      documented.push({ path: path.join('.'), description: comment.join(' '), default: at(defaults, path), section });
    section = /^## (.*)/.exec(line)?.[1] ?? section;
    comment = words === undefined ? [] : [...comment, words];
  }
  return documented;
}

/** Where the value is that begins in this line, if one does; `open` are the keys around it. */
function pathOf(line: string, open: Open[]): readonly string[] | undefined {
  const [, spaces = '', key] = /^( *)([A-Za-z_]+):/.exec(line) ?? [];
  if (key === undefined) return undefined;
  while ((open.at(-1)?.indent ?? -1) >= spaces.length) open.pop();
  open.push({ key, indent: spaces.length });
  return open.map((each) => each.key);
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
