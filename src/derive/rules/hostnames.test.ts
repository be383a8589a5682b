import assert from 'node:assert/strict';
import { covers, intersection } from './hostnames.ts';

describe('Hostname intersection', () => {
  for (const { listener, route, hosts } of [
    { listener: '*', route: [], hosts: ['*'] },
    { listener: '*', route: ['a.example.com', '*.example.com'], hosts: ['a.example.com', '*.example.com'] },
    { listener: 'a.example.com', route: [], hosts: ['a.example.com'] },
    { listener: 'a.example.com', route: ['a.example.com', 'b.example.com'], hosts: ['a.example.com'] },
    { listener: 'a.example.com', route: ['*.example.com'], hosts: ['a.example.com'] },
    { listener: '*.example.com', route: ['a.b.example.com'], hosts: ['a.b.example.com'] },
    { listener: '*.example.com', route: ['example.com'], hosts: [] },
    { listener: '*.example.com', route: ['*.b.example.com'], hosts: ['*.b.example.com'] },
    { listener: '*.b.example.com', route: ['*.example.com'], hosts: ['*.b.example.com'] },
    { listener: '*.example.com', route: ['notexample.com', 'a.notexample.com'], hosts: [] },
    { listener: 'a.example.com', route: ['*.example.com', '*.com'], hosts: ['a.example.com'] },
  ])
    it(`of ${listener} and [${route.join(', ')}] is [${hosts.join(', ')}]`, () => {
      assert.deepEqual(intersection(listener, route), hosts);
    });

  it('lets a wildcard cover itself and never every host', () => {
    assert.ok(covers('*.example.com', '*.example.com'));
    assert.ok(!covers('*.example.com', '*'));
    assert.ok(!covers('*.a.example.com', '*.example.com'));
  });
});
