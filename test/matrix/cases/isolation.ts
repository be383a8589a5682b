/** Listener isolation. Source: seed limitations. */
import { listener } from '../tables.ts';
import { at, type RouterCase } from './case.ts';

const wild = listener('infra/web/wild', '*.example.com');
const foo = listener('infra/web/foo', 'foo.example.com');
const rest = listener('infra/web/rest');

const wildHigh = listener('infra/web/wild-high', '*.example.com', 8080);
const http = { port: 80, protocol: 'HTTP' } as const;
const high = { port: 8080, protocol: 'HTTP' } as const;

export const isolation: readonly RouterCase[] = [
  {
    title: 'at a door only the listeners of its port and protocol are there',
    listeners: [foo, wildHigh],
    hosts: {
      'foo.example.com': [
        ['foo', { prefix: '/', via: [foo.id] }],
        ['high', { prefix: '/', via: [wildHigh.id] }],
      ],
      '*.example.com': [['wild-high', { via: [wildHigh.id] }]],
    },
    requests: [
      [{ ...at('foo.example.com'), door: http }, 'foo'],
      [{ ...at('bar.example.com'), door: http }, 'none'],
      [{ ...at('foo.example.com'), door: high }, 'high'],
      [{ ...at('bar.example.com'), door: high }, 'wild-high'],
      [{ ...at('foo.example.com'), door: { port: 80, protocol: 'HTTPS' } }, 'none'],
      [{ ...at('foo.example.com'), door: { port: 81, protocol: 'HTTP' } }, 'none'],
      [at('foo.example.com'), 'foo'],
    ],
  },
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
