import assert from 'node:assert/strict';
import fc from 'fast-check';
import { normalPath, prefixValue } from './path.ts';

const decodedOnce = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const normal: readonly (readonly [string, string])[] = [
  ['/', '/'],
  ['/a/b', '/a/b'],
  ['//admin', '//admin'],
  ['/a//b/', '/a//b/'],
  ['/public/../admin', '/admin'],
  ['/public/%2e%2e/admin', '/admin'],
  ['/public/%2E%2e/admin', '/admin'],
  ['/public/.%2E/admin', '/admin'],
  ['/a/./b', '/a/b'],
  ['/a/.', '/a/'],
  ['/a/b/..', '/a/'],
  ['/a/..', '/'],
  ['/.', '/'],
  ['/a//../b', '/a/b'],
  ['/.well-known/x', '/.well-known/x'],
  ['/a...b/..c', '/a...b/..c'],
  ['/%61dmin', '/admin'],
  ['/%41%5f%7E%2D', '/A_~-'],
  ['/a%2Fb', '/a%2Fb'],
  ['/a%2fb', '/a%2fb'],
  ['/a%5cb', '/a%5cb'],
  ['/a\\b', '/a%5Cb'],
  ['/a%2561', '/a%2561'],
  ['/caf%C3%a9', '/caf%C3%a9'],
  ['/a;v=1', '/a;v=1'],
];

const refused: readonly (readonly [string, RegExp])[] = [
  ['', /begin/],
  ['*', /begin/],
  ['admin', /begin/],
  ['/..', /above the root/],
  ['/a/../..', /above the root/],
  ['/%2e%2e/a', /above the root/],
  ['/public/..%2fadmin', /hides/],
  ['/public/%2e%2e%2Fadmin', /hides/],
  ['/public/a%2f..', /hides/],
  ['/public/..%5cadmin', /hides/],
  ['/public\\..\\admin', /hides/],
  ['/public/x%2f.%5cy', /hides/],
  ['/a%00', /%00/],
  ['/a%', /escape/],
  ['/a%2', /escape/],
  ['/a%zz', /escape/],
  ['/%%61', /escape/],
];

describe('the normal form of a path', () => {
  for (const [path, expected] of normal) {
    it(`writes ${path} as ${expected}`, () => {
      assert.deepEqual(normalPath(path), { path: expected });
    });
  }

  for (const [path, cause] of refused) {
    it(`refuses ${JSON.stringify(path)}`, () => {
      assert.match(normalPath(path).refused ?? '', cause);
    });
  }

  it('is its own normal form, and holds no dot segment however it is decoded once', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '..',
      '/',
      '//',
      '%2e',
      '%2E',
      '%2f',
      '%2F',
      '%5c',
      '%5C',
      '\\',
      '%61',
      '%25',
      '%',
      '%00',
      '7',
      '~',
      ';',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = normalPath(`/${parts.join('')}`);
        if (once.refused !== undefined) return;
        assert.deepEqual(normalPath(once.path), once);
        const segments = decodedOnce(once.path).split(/[/\\]/);
        assert.ok(!segments.includes('.') && !segments.includes('..'), once.path);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the value of a prefix', () => {
  it('has no trailing slash, but the root stays', () => {
    assert.deepEqual(['/abc/', '/abc', '/', '/a/b/'].map(prefixValue), ['/abc', '/abc', '/', '/a/b']);
  });
});
