/** The chart's README: the text of readme.md with a table of all values in it. */
import { readFileSync } from 'node:fs';
import type { OutputFile } from './output.ts';
import type { Value } from './values.ts';

const marker = '<!-- values -->';

/** Throws if the text has no place for the values. */
export function readme(documented: readonly Value[]): OutputFile {
  const text = readFileSync(new URL('readme.md', import.meta.url), 'utf8');
  if (!text.includes(marker)) throw new Error(`scripts/chart/readme.md has no line ${marker}`);
  const note = '<!-- Written by scripts/chart.ts from scripts/chart/readme.md and values.yaml. -->\n';
  return { path: 'README.md', text: note + text.replace(marker, () => tables(documented)) };
}

function tables(documented: readonly Value[]): string {
  const sections = Map.groupBy(documented, ({ section }) => section);
  return [...sections].map(([section, values]) => `${heading(section)}${table(values)}`).join('\n\n');
}

function heading(section: string): string {
  return section === '' ? '' : `### ${section}\n\n`;
}

function table(values: readonly Value[]): string {
  const lines = values.map(
    (value) => `| \`${value.path}\` | ${cell(value.description)} | ${standard(value.default)} |`,
  );
  return ['| Value | Meaning | Default |', '| --- | --- | --- |', ...lines].join('\n');
}

/** The default, where it is short enough to be read in a table; else values.yaml is the place to read it. */
function standard(value: unknown): string {
  const isGroup = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const text = JSON.stringify(value);
  return isGroup && text.length > 60 ? 'see values.yaml' : `\`${cell(text)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
