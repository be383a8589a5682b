/** Path conditions: exact, prefix, pattern, and their order. */
import { app, to, type RouterCase } from './case.ts';

export const paths: readonly RouterCase[] = [
  {
    title: 'an exact path is that path only',
    hosts: app([['a', { exact: '/cart' }]]),
    requests: [
      [to('/cart'), 'a'],
      [to('/cart?x=1'), 'a'],
      [to('/cart/'), 'none'],
      [to('/Cart'), 'none'],
      [to('/cart/x'), 'none'],
      [to('/'), 'none'],
    ],
  },
  {
    title: 'a trailing slash of a prefix is ignored (B-28)',
    hosts: app([['a', { prefix: '/abc/' }]]),
    requests: [
      [to('/abc'), 'a'],
      [to('/abc/'), 'a'],
      [to('/abc/def'), 'a'],
      [to('/abcd'), 'none'],
      [to('/ab'), 'none'],
    ],
  },
  {
    title: 'of two spellings of one prefix the first listed wins (B-28)',
    hosts: app([
      ['first', { prefix: '/abc' }],
      ['second', { prefix: '/abc/' }],
    ]),
    requests: [
      [to('/abc'), 'first'],
      [to('/abc/x'), 'first'],
    ],
  },
  {
    title: 'a prefix is compared by path element (B-29)',
    hosts: app([
      ['a', { prefix: '/foo' }],
      ['b', { prefix: '/' }],
    ]),
    requests: [
      [to('/foobar'), 'b'],
      [to('/foo?x=1'), 'a'],
      [to('/foo'), 'a'],
      [to('/FOO'), 'b'],
      [to('/foo%2Fbar'), 'b'],
      [to('/foo;v=1'), 'b'],
      [to('/foo//bar'), 'a'],
      [to('//foo'), 'b'],
    ],
  },
  {
    title: 'longer prefixes are ranked first by whoever wrote the table',
    hosts: app([
      ['deep', { prefix: '/a/b/c' }],
      ['middle', { prefix: '/a/b' }],
      ['root', { prefix: '/' }],
    ]),
    requests: [
      [to('/a/b/c/d'), 'deep'],
      [to('/a/b/cd'), 'middle'],
      [to('/a'), 'root'],
    ],
  },
  {
    title: 'the order of rows decides, whatever their kind',
    hosts: app([
      ['root', { prefix: '/' }],
      ['pattern', { regex: '/a.*' }],
      ['exact', { exact: '/a' }],
    ]),
    requests: [[to('/a'), 'root']],
  },
  {
    title: 'exact before pattern before prefix, patterns match the whole path (B-38)',
    hosts: app([
      ['c', { exact: '/user/7' }],
      ['b', { regex: '/user/[0-9]+' }],
      ['a', { prefix: '/' }],
    ]),
    requests: [
      [to('/user/12'), 'b'],
      [to('/user/7'), 'c'],
      [to('/x/user/12'), 'a'],
      [to('/user/12/edit'), 'a'],
    ],
  },
  {
    title: 'patterns have the syntax of RE2',
    hosts: app([
      ['case', { regex: '(?i)/CASE' }],
      ['end', { regex: '/end\\z' }],
      ['class', { regex: '/class/[[:alpha:]]+' }],
      ['named', { regex: '/named/(?P<id>\\d+)' }],
      ['quoted', { regex: '/quoted/\\Qa.b\\E' }],
      ['either', { regex: '/one|/one/two' }],
      ['anchored', { regex: '^/anchored$' }],
      ['optional', { regex: '/optio?n' }],
      ['escaped', { regex: '/v1\\.0/x' }],
      ['unicode', { regex: '/pL/\\pL+' }],
    ]),
    requests: [
      [to('/case'), 'case'],
      [to('/end'), 'end'],
      [to('/class/abc'), 'class'],
      [to('/class/a1'), 'none'],
      [to('/named/12'), 'named'],
      [to('/quoted/a.b'), 'quoted'],
      [to('/quoted/aXb'), 'none'],
      [to('/one'), 'either'],
      [to('/one/two'), 'either'],
      [to('/anchored'), 'anchored'],
      [to('/option'), 'optional'],
      [to('/optin'), 'optional'],
      [to('/v1.0/x'), 'escaped'],
      [to('/v1x0/x'), 'none'],
      [to('/pL/abc'), 'unicode'],
    ],
  },
  {
    title: 'a pattern that does not compile skips its row and nothing else (B-17)',
    hosts: app([
      ['bad', { regex: '[' }],
      ['lookahead', { regex: '/(?=x)x' }],
      ['header', { prefix: '/', headers: { 'x-a': '~(' } }],
      ['ok', { prefix: '/ok' }],
    ]),
    requests: [
      [{ target: '/ok', headers: { 'x-a': ['('] } }, 'ok'],
      [to('/x'), 'none'],
      [to('/['), 'none'],
    ],
  },
  {
    title: 'an address that is matched byte for byte',
    hosts: app([
      ['plus', { exact: '/a+b' }],
      ['escaped', { exact: '/caf%C3%A9' }],
      ['backslash', { exact: '/a%5Cb' }],
    ]),
    requests: [
      [to('/a+b'), 'plus'],
      [to('/a b'), 'none'],
      [to('/caf%C3%A9'), 'escaped'],
      [to('/a%5Cb'), 'backslash'],
    ],
  },
];
