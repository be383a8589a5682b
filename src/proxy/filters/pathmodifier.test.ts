import assert from 'node:assert/strict';
import { modifiedPath } from './pathmodifier.ts';

/** Gateway API, HTTPPathModifier; field case B-30. */
const prefixCases = [
  ['/foo', '/', '/foo/bar', '/bar'],
  ['/foo', '/', '/foo', '/'],
  ['/foo', '/', '/foo/', '/'],
  ['/foo', '', '/foo/bar', '/bar'],
  ['/foo', '', '/foo', '/'],
  ['/foo', '', '/foo/', '/'],
  ['/foo', '/xyz', '/foo/bar', '/xyz/bar'],
  ['/foo', '/xyz', '/foo', '/xyz'],
  ['/foo', '/xyz', '/foo/', '/xyz/'],
  ['/foo', '/xyz/', '/foo/bar', '/xyz/bar'],
  ['/foo', '/xyz/', '/foo', '/xyz/'],
  ['/foo', '/xyz/', '/foo/', '/xyz/'],
  ['/', '/xyz', '/foo', '/xyz/foo'],
  ['/', '/xyz/', '/foo', '/xyz/foo'],
  ['/', '/', '/foo//bar', '/foo//bar'],
  ['/foo', '/xyz', '/foo/%2F/b', '/xyz/%2F/b'],
  ['/foo', '/xyz', '/foo//b', '/xyz//b'],
] as const;

describe('path modifier', () => {
  for (const [prefix, replacement, path, expected] of prefixCases) {
    it(`replaces ${prefix} of ${path} by "${replacement}": ${expected}`, () => {
      assert.equal(
        modifiedPath({ type: 'ReplacePrefixMatch', replacePrefixMatch: replacement }, path, prefix),
        expected,
      );
    });
  }

  it('leaves a path alone whose row is no prefix match', () => {
    assert.equal(modifiedPath({ type: 'ReplacePrefixMatch', replacePrefixMatch: '/x' }, '/foo', undefined), '/foo');
  });

  it('replaces the whole path, with a slash in front and illegal characters escaped', () => {
    assert.equal(modifiedPath({ type: 'ReplaceFullPath', replaceFullPath: '/new' }, '/foo/bar', '/foo'), '/new');
    assert.equal(
      modifiedPath({ type: 'ReplaceFullPath', replaceFullPath: 'new page?' }, '/foo', '/foo'),
      '/new%20page%3F',
    );
    assert.equal(
      modifiedPath({ type: 'ReplaceFullPath', replaceFullPath: '/caf\u00e9/%2F' }, '/', '/'),
      '/caf%C3%A9/%2F',
    );
    assert.equal(modifiedPath({ type: 'ReplaceFullPath', replaceFullPath: '' }, '/foo', '/'), '/');
  });
});
