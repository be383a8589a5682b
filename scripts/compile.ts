/**
 * `npm run compile [-- --quiet]`: writes the three programs to dist/, with a metafile each under dist/meta and NOTICE beside them.
 * Fails when a bundle holds a package it may not hold, or one whose licence is not known.
 */
import { build } from 'esbuild';
import type { BuildOptions, Metafile } from 'esbuild';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bundles } from './bundle/bundles.ts';
import type { Bundle } from './bundle/bundles.ts';
import { intruders, packagesIn } from './bundle/contents.ts';
import { notice } from './bundle/notice.ts';

const { values } = parseArgs({ options: { quiet: { type: 'boolean', default: false } } });
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

try {
  await compile(values.quiet);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function compile(quiet: boolean): Promise<void> {
  const missing = bundles.filter(({ entry }) => !existsSync(entry));
  if (missing.length > 0)
    throw new Error(`no file ${missing.map(({ entry }) => entry).join(', ')}: each bundle needs its main`);
  const metafiles = await Promise.all(bundles.map(bundle));
  mkdirSync('dist/meta', { recursive: true });
  bundles.forEach(({ name }, at) => {
    writeFileSync(`dist/meta/${name}.json`, JSON.stringify(metafiles[at], undefined, 1));
    chmodSync(`dist/${name}.mjs`, 0o755);
  });
  const faults = bundles.flatMap((one, at) => intruders(one, metafiles[at] as Metafile));
  if (faults.length > 0) throw new Error(faults.join('\n'));
  writeFileSync('dist/NOTICE', notice(metafiles.flatMap((metafile) => [...packagesIn(metafile).keys()])));
  if (!quiet) report(metafiles);
}

async function bundle({ name, entry }: Bundle): Promise<Metafile> {
  const { metafile } = await build({
    ...options(name),
    entryPoints: [entry],
    outfile: `dist/${name}.mjs`,
    metafile: true,
  });
  return metafile;
}

function options(name: Bundle['name']): BuildOptions {
  return {
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'esm',
    sourcemap: true,
    // The sources are in the repository; with them the operator's map alone would be some 20 MB.
    sourcesContent: false,
    // `debug` tries for it and does without; it is here only because a tool needs it.
    external: ['supports-color'],
    legalComments: 'inline',
    logLevel: 'warning',
    // Started from the sources there is no such variable, and the programs call themselves `dev`.
    define: { 'process.env.CFGW_VERSION': JSON.stringify(version) },
    // CommonJS packages inside an ES module ask for Node's own modules through `require`.
    banner: {
      js: [
        ...(name === 'cfgwctl' ? ['#!/usr/bin/env node'] : []),
        "import { createRequire as createRequireOfBundle } from 'node:module';",
        'const require = createRequireOfBundle(import.meta.url);',
      ].join('\n'),
    },
  };
}

function report(metafiles: Metafile[]): void {
  bundles.forEach(({ name }, at) => {
    const metafile = metafiles[at] as Metafile;
    const bytes = metafile.outputs[`dist/${name}.mjs`]?.bytes ?? 0;
    console.log(
      `dist/${name}.mjs`.padEnd(20),
      `${(bytes / 1024).toFixed(0)} KiB`.padStart(10),
      `${packagesIn(metafile).size} packages`,
    );
  });
}
