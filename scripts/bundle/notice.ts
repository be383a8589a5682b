import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf } from './bundles.ts';

/** Licences under which a package may be part of what we ship; another one needs a decision by a person. */
const known = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  '(Apache-2.0 AND BSD-3-Clause)',
]);

/** The text of NOTICE: every package in the bundles with its licence. Throws when a package has none that is known here. */
export function notice(paths: Iterable<string>): string {
  const parts = [...new Set(paths)].toSorted().map(part);
  return [
    'cloudflare-gateway-controller',
    'Licensed under the Apache License, Version 2.0; see LICENSE.',
    '',
    'The programs contain code of these packages.',
    ...parts,
    '',
  ].join('\n');
}

function part(path: string): string {
  const name = path.replace(/^.*node_modules\//, '');
  const { license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { license?: string };
  if (license === undefined || !known.has(license)) {
    throw new Error(
      `${name} is licensed as ${license ?? 'nothing it says'}, which scripts/bundle/notice.ts does not list`,
    );
  }
  const file = readdirSync(path).find((entry) => /^(licen[cs]e|copying|unlicense)(\.|$)/i.test(entry));
  const text =
    file !== undefined && existsSync(join(path, file))
      ? readFileSync(join(path, file), 'utf8').trim()
      : `(the package carries no licence text; it names ${license})`;
  return `\n${'-'.repeat(80)}\n${name} ${versionOf(path)} (${license})\n\n${text.replaceAll('\r\n', '\n')}`;
}
