import type { Metafile } from 'esbuild';
import { closure } from './bundles.ts';
import type { Bundle } from './bundles.ts';

/** The packages of which a bundle holds code, by their path (`node_modules/…`), each with one of its files and the file of ours or theirs that asked for it. */
export function packagesIn(metafile: Metafile): Map<string, string> {
  const found = new Map<string, string>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const path = packagePath(input);
      if (path !== undefined && bytesInOutput > 0 && !found.has(path)) found.set(path, input);
    }
  }
  return found;
}

/** What a bundle holds and may not, a sentence each. */
export function intruders({ name, packages }: Bundle, metafile: Metafile): string[] {
  const allowed = closure(packages);
  return [...packagesIn(metafile)]
    .filter(([path]) => !allowed.has(path))
    .map(([path, input]) => {
      const importer = Object.entries(metafile.inputs).find(([, { imports }]) =>
        imports.some((one) => one.path === input),
      );
      return `the ${name} bundle holds ${path.replace(/^.*node_modules\//, '')}, imported by ${importer?.[0] ?? 'no file'}: list it in scripts/bundle/bundles.ts or do without`;
    });
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` is a file of the package `node_modules/a/node_modules/@b/c`. */
function packagePath(input: string): string | undefined {
  return input
    .match(/^(?:.*?\/)??(node_modules\/.*)$/)?.[1]
    ?.match(/^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1];
}
