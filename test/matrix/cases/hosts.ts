/** Host buckets and the way from one to the next. */
import { at, type RouterCase } from './case.ts';

export const hosts: readonly RouterCase[] = [
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
