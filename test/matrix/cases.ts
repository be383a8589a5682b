/** The router cases: one list, which every matcher must satisfy. `none` is a 404. */
import type { TableListener } from '../../src/table/document.ts';
import { listener, type Hosts, type Request } from './tables.ts';

export interface RouterCase {
  readonly title: string;
  readonly listeners?: readonly TableListener[];
  readonly hosts: Hosts;
  /** Request, and the rule that answers it. */
  readonly requests: readonly (readonly [Request, string])[];
}

const app = (rows: Hosts[string]): Hosts => ({ 'app.example.com': rows });
const to = (target: string): Request => ({ target });
const at = (host: string, target = '/'): Request => ({ host, target });

const paths: readonly RouterCase[] = [
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

const conditions: readonly RouterCase[] = [
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

const hosts: readonly RouterCase[] = [
  {
    title: 'a wildcard covers one or more labels and never the bare parent (B-35)',
    hosts: { '*.example.com': [['a', {}]] },
    requests: [
      [at('a.example.com'), 'a'],
      [at('a.b.example.com'), 'a'],
      [at('example.com'), 'none'],
      [at('xexample.com'), 'none'],
      [at('.example.com'), 'none'],
      [at(''), 'none'],
    ],
  },
  {
    title: 'the most specific bucket that has a matching row answers (B-36)',
    hosts: {
      'app.example.com': [['a', { prefix: '/api' }]],
      '*.example.com': [['b', { prefix: '/api/v1' }]],
      '*': [['z', {}]],
    },
    requests: [
      [at('app.example.com', '/api/v1/x'), 'a'],
      [at('app.example.com', '/other'), 'z'],
      [at('q.example.com', '/api/v1'), 'b'],
      [at('q.example.com', '/other'), 'z'],
      [at('x.example.net'), 'z'],
      [at('example.com'), 'z'],
    ],
  },
  {
    title: 'of two wildcards the one with more labels comes first',
    hosts: { '*.y.example.com': [['long', { prefix: '/long' }]], '*.example.com': [['short', {}]] },
    requests: [
      [at('x.y.example.com', '/long'), 'long'],
      [at('x.y.example.com', '/'), 'short'],
      [at('w.x.y.example.com', '/long'), 'long'],
      [at('y.example.com', '/long'), 'short'],
    ],
  },
  {
    title: 'an IPv6 literal is a host like any other (B-33)',
    hosts: { 'app.example.com': [['a', {}]], '*.example.com': [['w', {}]] },
    requests: [
      [at('[::1]'), 'none'],
      [at('[::ffff:10.0.0.1]'), 'none'],
      [at('app.example.com'), 'a'],
    ],
  },
  {
    title: 'the default bucket takes every host, also none and addresses',
    hosts: { '*': [['z', {}]] },
    requests: [
      [at('[::1]'), 'z'],
      [at('10.0.0.1'), 'z'],
      [at(''), 'z'],
      [at('localhost'), 'z'],
    ],
  },
];

const wild = listener('infra/web/wild', '*.example.com');
const foo = listener('infra/web/foo', 'foo.example.com');
const rest = listener('infra/web/rest');

const isolation: readonly RouterCase[] = [
  {
    title: 'only routes of the most specific listener answer, whatever hosts others list',
    listeners: [wild, foo],
    hosts: {
      'foo.example.com': [
        ['intruder', { prefix: '/', via: [wild.id] }],
        ['foo', { prefix: '/foo', via: [foo.id] }],
      ],
      '*.example.com': [['wild', { via: [wild.id] }]],
    },
    requests: [
      [at('foo.example.com', '/foo'), 'foo'],
      [at('foo.example.com', '/bar'), 'none'],
      [at('bar.example.com', '/bar'), 'wild'],
    ],
  },
  {
    title: 'a listener without rows still owns its hostname',
    listeners: [wild, foo, rest],
    hosts: { '*.example.com': [['wild', { via: [wild.id] }]], '*': [['rest', { via: [rest.id] }]] },
    requests: [
      [at('foo.example.com'), 'none'],
      [at('bar.example.com'), 'wild'],
      [at('example.com'), 'rest'],
      [at('other.net'), 'rest'],
    ],
  },
  {
    title: 'a listener without hostname gets only what no other listener matches',
    listeners: [wild, rest],
    hosts: {
      'a.example.com': [['a', { prefix: '/a', via: [rest.id] }]],
      '*.example.com': [['wild', { prefix: '/wild', via: [wild.id] }]],
      '*': [['rest', { via: [rest.id] }]],
    },
    requests: [
      [at('a.example.com', '/a'), 'none'],
      [at('a.example.com', '/wild'), 'wild'],
      [at('a.example.net', '/a'), 'rest'],
    ],
  },
  {
    title: 'a wildcard with more labels is the more specific listener',
    listeners: [wild, listener('infra/web/deep', '*.y.example.com')],
    hosts: {
      '*.y.example.com': [
        ['deep', { prefix: '/deep', via: ['infra/web/deep'] }],
        ['wild', { via: [wild.id] }],
      ],
      '*.example.com': [['wild', { via: [wild.id] }]],
    },
    requests: [
      [at('x.y.example.com', '/deep'), 'deep'],
      [at('x.y.example.com', '/'), 'none'],
      [at('y.example.com', '/'), 'wild'],
    ],
  },
  {
    title: 'a request falls through buckets, but within the owning listener',
    listeners: [foo, rest],
    hosts: {
      'foo.example.com': [['foo', { prefix: '/foo', via: [foo.id] }]],
      '*': [
        ['both', { prefix: '/both', via: [foo.id, rest.id] }],
        ['rest', { via: [rest.id] }],
      ],
    },
    requests: [
      [at('foo.example.com', '/foo'), 'foo'],
      [at('foo.example.com', '/both'), 'both'],
      [at('foo.example.com', '/rest'), 'none'],
      [at('bar.example.com', '/rest'), 'rest'],
    ],
  },
  {
    title: 'ports are not compared: two listeners with one hostname both answer',
    listeners: [listener('infra/web/http', 'foo.example.com', 80), listener('infra/web/https', 'foo.example.com', 443)],
    hosts: {
      'foo.example.com': [
        ['http', { prefix: '/http', via: ['infra/web/http'] }],
        ['https', { prefix: '/', via: ['infra/web/https'] }],
      ],
    },
    requests: [
      [at('foo.example.com', '/http'), 'http'],
      [at('foo.example.com', '/x'), 'https'],
    ],
  },
  {
    title: 'isolation is per Gateway: one that gives the host to the listener is enough',
    listeners: [wild, foo, listener('infra/second/wild', '*.example.com')],
    hosts: {
      'foo.example.com': [
        ['first', { prefix: '/first', via: [wild.id] }],
        ['shared', { prefix: '/shared', via: [wild.id, 'infra/second/wild'] }],
        ['second', { prefix: '/second', via: ['infra/second/wild'] }],
      ],
    },
    requests: [
      [at('foo.example.com', '/first'), 'none'],
      [at('foo.example.com', '/shared'), 'shared'],
      [at('foo.example.com', '/second'), 'second'],
    ],
  },
  {
    title: 'without a listener for the host nothing answers',
    listeners: [foo],
    hosts: { '*': [['stray', {}]] },
    requests: [
      [at('bar.example.com'), 'none'],
      [at('foo.example.com'), 'stray'],
    ],
  },
];

export const cases: readonly RouterCase[] = [...paths, ...conditions, ...hosts, ...isolation];
