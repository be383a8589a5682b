import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { helm, template } from './helm.ts';

/**
 * `NAME.values.yaml` are values, `NAME.out.yaml` what Helm makes of them. Its first line says what the case proves; a line `# show: KINDS` leaves
 * only these kinds in the output, `# helm: ARGUMENTS` gives Helm more arguments. UPDATE_GOLDEN=1 writes what comes out: read the difference
 * before it is committed.
 */
const folder = fileURLToPath(new URL('.', import.meta.url));
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.values.yaml'))
  .map((name) => name.replace('.values.yaml', ''));

describe('chart: values and what comes of them', () => {
  before(async function () {
    this.timeout(180_000);
    await helm('version');
  });

  for (const name of cases) {
    it(name, async () => {
      const values = readFileSync(`${folder}${name}.values.yaml`, 'utf8');
      const text = shown(await template('--values', `${folder}${name}.values.yaml`, ...words(values, 'helm')), values);
      const golden = `${folder}${name}.out.yaml`;
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, text);
      assert.equal(text, readFileSync(golden, 'utf8'));
    });
  }

  it('no output without its values', () => {
    const orphans = readdirSync(folder).filter(
      (name) => name.endsWith('.out.yaml') && !existsSync(`${folder}${name.replace('.out.yaml', '.values.yaml')}`),
    );
    assert.deepEqual(orphans, []);
  });
});

function words(values: string, comment: string): string[] {
  const line = values.split('\n').find((each) => each.startsWith(`# ${comment}: `));
  return line?.slice(comment.length + 4).split(/,? /) ?? [];
}

function shown(rendered: string, values: string): string {
  const kinds = words(values, 'show');
  return rendered
    .split(/^---\n/m)
    .filter((document) => document.trim() !== '')
    .filter((document) => kinds.length === 0 || kinds.includes(/^kind: (\w+)$/m.exec(document)?.[1] ?? ''))
    .map((document) => `---\n${shortened(document)}`)
    .join('');
}

/** Schemas and dashboards are committed as they are elsewhere, and tested there. */
function shortened(document: string): string {
  if (document.includes('\nkind: CustomResourceDefinition\n')) return document.replace(/\nspec:\n[^]*$/, '\nspec: …\n');
  return document.replace(/\n( {2}[\w-]+\.json): \|\n[^]*$/, '\n$1: …\n');
}
