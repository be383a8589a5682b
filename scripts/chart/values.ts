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

export interface Values {
  readonly text: string;
  readonly documented: readonly Value[];
}

interface Open {
  readonly key: string;
  readonly indent: number;
}

/** The values of the chart that have a comment, in the order of the file. Comments stand directly above their value. */
export function readValues(): Values {
  const text = readFileSync(new URL('values.yaml', chartFolder), 'utf8');
  const defaults: unknown = parse(text);
  const documented: Value[] = [];
  const open: Open[] = [];
  let comment: string[] = [];
  let section = '';
  for (const line of text.split('\n')) {
    const [, spaces = '', key] = /^( *)([A-Za-z_]+):/.exec(line) ?? [];
    if (line.startsWith('## ')) section = line.slice(3).trim();
    else if (/^ *# /.test(line)) comment.push(line.trim().slice(2));
    if (key !== undefined) {
      while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= spaces.length) open.pop();
      open.push({ key, indent: spaces.length });
      const path = open.map((each) => each.key);
      if (comment.length > 0)
        documented.push({ path: path.join('.'), description: comment.join(' '), default: at(defaults, path), section });
    }
    if (!/^ *# /.test(line)) comment = [];
  }
  return { text, documented };
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
