/** The files below a directory as a tree, with their sizes. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function tree(folder: string, indent = ''): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry, index) => {
    const isLast = index === entries.length - 1;
    const path = join(folder, entry.name);
    const branch = `${indent}${isLast ? '└── ' : '├── '}${entry.name}`;
    if (entry.isDirectory()) return [`${branch}/`, ...tree(path, `${indent}${isLast ? '    ' : '│   '}`)];
    return [`${branch} (${statSync(path).size} bytes)`];
  });
}
