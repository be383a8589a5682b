import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { readFiles } from '../../src/facts/files/read.ts';
import { agrees, blocksOf, documents, linksOf, textOf } from './documents.ts';

describe('The documents', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  for (const file of documents) {
    it(`${file} links only to what exists`, () => {
      const missing = linksOf(file, textOf(file)).filter((link) => !existsSync(link));
      assert.deepEqual(missing, []);
    });

    it(`${file} names only commands that package.json has`, () => {
      const named = [...textOf(file).matchAll(/npm run ([a-z-]+)/g)].map(([, name]) => name ?? '');
      assert.deepEqual(
        named.filter((name) => !(name in scripts)),
        [],
      );
    });
  }

  it('CONTRIBUTING.md names only files that exist', () => {
    const roots = [
      '',
      'src/derive/rules/',
      'src/proxy/',
      'src/proxy/filters/',
      'src/proxy/upstream/',
      'src/table/',
      'src/derive/emit/',
      'test/',
      'test/matrix/',
    ];
    const named = [...textOf('CONTRIBUTING.md').matchAll(/`([\w./-]+(?:\.ts|\.yaml|\/))`/g)].map(
      ([, name]) => name ?? '',
    );
    assert.ok(named.length > 50);
    assert.deepEqual(
      named.filter((name) => !roots.some((root) => existsSync(`${root}${name}`))),
      [],
    );
  });
});

describe('What the documents show', () => {
  const root = resolve('.');
  let folder = '';

  /** A directory with the examples, and with an npx that runs cfgwctl from its sources. */
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cfgwctl-docs-'));
    cpSync('docs/examples', join(folder, 'docs/examples'), { recursive: true });
    mkdirSync(join(folder, '.bin'));
    const program = join(root, 'src/cli/main.ts');
    const npx = `#!/bin/sh\n[ "$1" = cfgwctl ] || exit 127\nshift\nexec '${process.execPath}' '${program}' "$@"\n`;
    writeFileSync(join(folder, '.bin/npx'), npx, { mode: 0o755 });
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  // The blocks of all documents run in one directory, one after the other, as a reader would.
  for (const file of documents) {
    const blocks = blocksOf(file, textOf(file));
    for (const [index, block] of blocks.entries()) {
      if (block.info !== 'sh runs') continue;
      it(`${file}:${block.line} runs, and prints what is shown`, function () {
        this.timeout(60_000);
        const env = {
          ...process.env,
          NO_COLOR: '1',
          PATH: `${join(folder, '.bin')}${delimiter}${process.env.PATH ?? ''}`,
        };
        const script = `exec 2>&1\n${block.text}`;
        const { status, stdout } = spawnSync('sh', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' });
        assert.equal(status, 0, stdout);
        const shown = blocks[index + 1];
        if (shown?.info !== 'text output' || agrees(shown.text, stdout)) return;
        assert.equal(stdout, shown.text);
      });
    }
  }
});

describe('The examples', () => {
  it('are read without an error and without a warning', async () => {
    const { facts, messages } = await readFiles(['docs/examples']);
    assert.deepEqual(messages, []);
    assert.ok(facts.length > 20);
  });
});

describe('agrees', () => {
  it('compares the whole text', () => {
    assert.ok(agrees('a\nb\n', 'a\nb\n'));
    assert.ok(!agrees('a\n', 'a\nb\n'));
    assert.ok(!agrees('b\n', 'a\nb\n'));
  });

  it('takes a line of … for any lines', () => {
    assert.ok(agrees('a\n…\nd\n', 'a\nb\nc\nd\n'));
    assert.ok(agrees('…\nd\n', 'a\nd\n'));
    assert.ok(agrees('a\n…\n', 'a\nb\n'));
    assert.ok(agrees('a\n…\nb\n', 'a\nb\nx\nb\n'));
    assert.ok(!agrees('a\n…\nd\n', 'a\nb\n'));
    assert.ok(!agrees('a\n…\nb\n', 'a\nb\nc\n'));
  });
});
