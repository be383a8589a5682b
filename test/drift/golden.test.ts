import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { findingCodes } from '../../src/api/findings.ts';

const golden = fileURLToPath(new URL('../golden/', import.meta.url));
const rules = fileURLToPath(new URL('../../src/derive/rules/', import.meta.url));

/** Reasons of remarks: served as written, so that no condition says them. */
const onlyFindings = ['ConfigOverridden', 'HalfAnchoredPattern'];

/** What users are told, as golden files show it: whatever a rule can say must be seen in one of them. */
describe('golden files', () => {
  const outputs = globSync('*/*.out.yaml', { cwd: golden }).map(
    (name) => parse(readFileSync(`${golden}${name}`, 'utf8')) as Output,
  );

  it('show every finding', () => {
    const shown = new Set(outputs.flatMap(({ findings }) => findings.map(({ code }) => code)));
    assert.deepEqual(missing(Object.keys(findingCodes), shown), []);
  });

  it('show every reason of a condition', () => {
    const shown = new Set(outputs.flatMap(({ status }) => reasonsIn(status)));
    assert.deepEqual(missing(reasonsOfRules(), shown), onlyFindings);
  });
});

interface Output {
  readonly status: unknown;
  readonly findings: readonly { readonly code: string }[];
}

function missing(all: Iterable<string>, shown: ReadonlySet<string>): string[] {
  return [...new Set(all)].filter((each) => !shown.has(each)).toSorted();
}

/** `True/Accepted: …`, however deep. */
function reasonsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^(?:True|False|Unknown)\/(\w+): /.exec(value)?.slice(1) ?? [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(reasonsIn) : [];
}

/** The words that rules give as reasons: what stands first in a verdict, or is called one. */
function reasonsOfRules(): string[] {
  const sources = globSync('*.ts', { cwd: rules }).filter((name) => !name.endsWith('.test.ts'));
  return sources.flatMap((name) => {
    const text = readFileSync(`${rules}${name}`, 'utf8');
    const given = [...text.matchAll(/\b(?:yes|no|notYet|refuse)\(\s*([^,]+),|\breason: ([^,}\n]+)/g)];
    return given.flatMap(([, first = '', called = '']) =>
      [...(first + called).matchAll(/'([A-Z]\w+)'/g)].map(([, word = '']) => word),
    );
  });
}
