import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { decode } from '../../src/table/decode.ts';
import { atOnce, oneByOne, readCase, reordered, type Given } from './derived.ts';
import { checkByMatcher } from './matcher.ts';
import { sections, type Show } from './sections.ts';

/**
 * `FEATURE/CASE.in.yaml` is ordinary input of cfgwctl whose first line says what the case proves; `CASE.out.yaml` is everything
 * that follows from it and, where there is one, from `CASE.observed.yaml`, which holds what no file of a user does. UPDATE_GOLDEN=1
 * writes what comes out: read the difference before it is committed.
 */
const folder = fileURLToPath(new URL('.', import.meta.url));
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const cases = globSync('*/*.in.yaml', { cwd: folder })
  .filter((name) => !name.startsWith('input/'))
  .toSorted();

describe('golden files', () => {
  for (const name of cases) {
    it(name.replace('.in.yaml', ''), async () => {
      const path = `${folder}${name}`;
      const given = await read(path);
      const { input } = given;
      const show: Show = /^(emit|service)\//.test(name) ? 'objects' : 'names';
      const derivation = atOnce(given);
      const text = sections(derivation, input, show);
      const golden = path.replace('.in.yaml', '.out.yaml');
      if (isUpdate) writeFileSync(golden, text);
      assert.equal(text, existsSync(golden) ? readFileSync(golden, 'utf8') : '', `${golden} differs`);
      assert.deepEqual(
        derivation.settle(),
        { planes: [], statuses: [], findings: false },
        'a second look changes something',
      );
      for (const order of orders) assertSame(sections(reordered(given, order), input, show), text, 'in another order');
      assertSame(withoutReads(sections(oneByOne(given), input, show)), withoutReads(text), 'one by one');
      for (const { table } of derivation.planes().values()) checkByMatcher(decode(table.text));
    });
  }

  it('has an input for every output', () => {
    const others = globSync(['*/*.out.yaml', '*/*.observed.yaml'], { cwd: folder });
    const lonely = others.filter((name) => !existsSync(`${folder}${name.replace(/\.(out|observed)\./, '.in.')}`));
    assert.deepEqual(lonely, []);
  });
});

const orders: readonly ((names: string[]) => string[])[] = [
  (names) => names.toReversed(),
  (names) => names.toSorted(),
  (names) => [...names.slice(Math.floor(names.length / 2)), ...names.slice(0, Math.floor(names.length / 2))],
];

async function read(path: string): Promise<Given> {
  const given = await readCase(path);
  assert.deepEqual(
    given.input.messages.filter(({ severity }) => severity === 'error').map(({ message }) => message),
    [],
  );
  assert.match(readFileSync(path, 'utf8'), /^# \S/, 'the first line says what the case proves');
  return given;
}

function assertSame(actual: string, expected: string, how: string): void {
  assert.equal(actual, expected, `${how} it comes out otherwise`);
}

/** On the way things may have been read that are no longer needed; the results are what counts. */
function withoutReads(text: string): string {
  return text.slice(0, text.indexOf('\nreads:'));
}
