/** Conditions on method, headers and query. */
import { app, to, type RouterCase } from './case.ts';

export const conditions: readonly RouterCase[] = [
  {
    title: 'a method is compared as it is',
    hosts: app([
      ['post', { method: 'POST' }],
      ['any', {}],
    ]),
    requests: [
      [{ method: 'POST' }, 'post'],
      [{ method: 'GET' }, 'any'],
      [{ method: 'post' }, 'any'],
    ],
  },
  {
    title: 'a header name has no case, any of its values may match',
    hosts: app([
      ['exact', { headers: { 'X-Version': 'two' } }],
      ['pattern', { headers: { 'x-version': '~[0-9]+' } }],
      ['any', {}],
    ]),
    requests: [
      [{ headers: { 'x-version': ['two'] } }, 'exact'],
      [{ headers: { 'x-version': ['one', 'two'] } }, 'exact'],
      [{ headers: { 'x-version': ['Two'] } }, 'any'],
      [{ headers: { 'x-version': ['x', '42'] } }, 'pattern'],
      [{ headers: { 'x-version': ['v42'] } }, 'any'],
      [{ headers: { 'x-other': ['two'] } }, 'any'],
      [{ headers: { 'x-version': [''] } }, 'any'],
      [{}, 'any'],
    ],
  },
  {
    title: 'an empty header is there, an absent one is not',
    hosts: app([['a', { headers: { 'x-a': '~.*' } }]]),
    requests: [
      [{ headers: { 'x-a': [''] } }, 'a'],
      [{}, 'none'],
    ],
  },
  {
    title: 'all headers of a match must be met, each match on its own (B-40)',
    hosts: app([
      ['both', { headers: { version: 'two', color: 'red' } }],
      ['b', { headers: { version: 'two' } }],
      ['a', { headers: { color: 'blue' } }],
      ['a', { headers: { color: 'green' } }],
    ]),
    requests: [
      [{ headers: { version: ['two'], color: ['blue'] } }, 'b'],
      [{ headers: { version: ['two'], color: ['red'] } }, 'both'],
      [{ headers: { color: ['green'] } }, 'a'],
      [{ headers: { color: ['red'] } }, 'none'],
    ],
  },
  {
    title: 'query names and values are decoded as a form',
    hosts: app([
      ['exact', { query: { 'a b': 'c/d' } }],
      ['pattern', { query: { v: '~[0-9]+' } }],
      ['empty', { query: { e: '' } }],
      ['mark', { query: { '?q': '1' } }],
      ['accent', { query: { n: 'é' } }],
    ]),
    requests: [
      [to('/?a+b=c%2Fd'), 'exact'],
      [to('/?a%20b=c/d'), 'exact'],
      [to('/?A+b=c/d'), 'none'],
      [to('/?x=1&v=x&v=7'), 'pattern'],
      [to('/?v=7x'), 'none'],
      [to('/?v=%37'), 'pattern'],
      [to('/?e='), 'empty'],
      [to('/?e'), 'empty'],
      [to('/??q=1'), 'mark'],
      [to('/?n=%C3%A9'), 'accent'],
      [to('/?n=%zz&v=1'), 'pattern'],
      [to('/?v=1;e=2'), 'none'],
      [to('/'), 'none'],
    ],
  },
  {
    title: 'the conditions of a row hold together',
    hosts: app([
      ['all', { prefix: '/a', method: 'POST', headers: { h: '1' }, query: { q: '1' } }],
      ['path', { prefix: '/a' }],
    ]),
    requests: [
      [{ target: '/a/b?q=1', method: 'POST', headers: { h: ['1'] } }, 'all'],
      [{ target: '/a/b?q=1', method: 'POST', headers: { h: ['2'] } }, 'path'],
      [{ target: '/a/b?q=2', method: 'POST', headers: { h: ['1'] } }, 'path'],
      [{ target: '/a/b?q=1', method: 'PUT', headers: { h: ['1'] } }, 'path'],
      [{ target: '/b?q=1', method: 'POST', headers: { h: ['1'] } }, 'none'],
    ],
  },
];
