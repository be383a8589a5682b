/** The documents of the repository: their links, commands and runnable blocks. */
import { globSync, readFileSync } from 'node:fs';

export interface Block {
  readonly file: string;
  /** Of its first line inside the fence. */
  readonly line: number;
  /** What stands behind the opening fence, as in `sh runs`. */
  readonly info: string;
  readonly text: string;
}

/** Documents that are for readers of the repository. */
export const documents: readonly string[] = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md').toSorted()];

export function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

/** Every fenced block of a document. */
export function blocksOf(file: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; info: string; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (open === undefined) {
      if (fence) open = { line: index + 2, info: (fence[1] ?? '').trim(), lines: [] };
    } else if (fence) {
      blocks.push({ file, line: open.line, info: open.info, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else {
      open.lines.push(line);
    }
  }
  return blocks;
}

/** Places in the repository that a document links to, relative to its root, without anchors. */
export function linksOf(file: string, text: string): readonly string[] {
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/') + 1) : '';
  return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => `${folder}${target}`);
}

/** Whether a text is what a block of output shows: a line `…` stands for any lines, none among them. */
export function agrees(shown: string, got: string): boolean {
  const [first = '', ...parts] = shown.split(/^…\n/m);
  const last = parts.pop();
  if (last === undefined) return got === first;
  if (!got.startsWith(first)) return false;
  let rest = got.slice(first.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return rest.endsWith(last);
}
