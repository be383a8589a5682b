/** The suite as a program, built from its own Go module, and what it says of its tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached, digestOf } from '../cluster/build/cache.ts';
import type { Progress } from '../cluster/build/cache.ts';
import { go } from '../cluster/build/programs.ts';
import { run } from '../cluster/command.ts';
import type { Catalogue } from './catalogue.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const sources = ['go.mod', 'go.sum', 'conformance_test.go', 'catalogue_test.go'].map((file) => join(folder, file));

export interface Suite {
  /** Path of the program. */
  readonly program: string;
  readonly catalogue: Catalogue;
  /** As its module is pinned, `v1.6.3`. */
  readonly version: string;
}

/** The suite; built first if the cache lacks it, which takes two minutes. */
export async function buildSuite(progress: Progress): Promise<Suite> {
  const make = async (into: string): Promise<void> => {
    const program = join(into, 'suite');
    await go(folder, ['test', '-c', '-o', program, '.']);
    const env = { ...process.env, CONFORMANCE_CATALOGUE: join(into, 'catalogue.json') };
    await run(program, ['-test.run', '^TestCatalogue$'], { env });
  };
  const made = await cached({ name: 'conformance', digest: digestOf(process.arch, ...sources), make }, progress);
  return {
    program: join(made, 'suite'),
    catalogue: JSON.parse(readFileSync(join(made, 'catalogue.json'), 'utf8')) as Catalogue,
    version: (await go(folder, ['list', '-m', '-f', '{{.Version}}', 'sigs.k8s.io/gateway-api/conformance'])).trim(),
  };
}

/** Turns what the suite prints into events, one JSON document a line; reads its standard input. */
export async function eventConverter(): Promise<string> {
  return (await go(folder, ['tool', '-n', 'test2json'])).trim();
}
