import assert from 'node:assert/strict';
import type { DnsSettings } from '../plane.ts';
import { cloudflareDesired, mostHostnameRules } from './cloudflare.ts';
import { testPlane } from './testplane.test.ts';

const served = [
  'b.example.com',
  '*',
  '*.example.com',
  'a.example.com',
  'a.example.com',
  'x.y.example.com',
  'example.com',
];
const recordsOf = (dns: DnsSettings): ReturnType<typeof cloudflareDesired>['records'] =>
  cloudflareDesired(testPlane({ dns }), served).records;
const rulesOf = (
  hostnames: readonly string[],
): readonly { hostname?: string; service: string; originRequest: object }[] =>
  cloudflareDesired(testPlane(), hostnames).document.ingress as [];
const distinct = (count: number): string[] => Array.from({ length: count }, (_, index) => `h${index}.example.com`);

describe('the ingress document', () => {
  it('names each hostname once, then everything, and always the proxy', () => {
    const rules = rulesOf(served);
    assert.deepEqual(
      rules.map(({ hostname }) => hostname),
      ['a.example.com', 'b.example.com', 'example.com', 'x.y.example.com', '*.example.com', undefined],
    );
    for (const { service, originRequest } of rules) {
      assert.equal(service, 'http://127.0.0.1:8080');
      assert.deepEqual(originRequest, { connectTimeout: 5, keepAliveConnections: 2000, keepAliveTimeout: 90 });
    }
  });

  it('is the catch-all alone without hostnames, and above the limit', () => {
    assert.equal(rulesOf([]).length, 1);
    assert.equal(rulesOf(['*']).length, 1);
    assert.equal(rulesOf(distinct(mostHostnameRules)).length, mostHostnameRules + 1);
    assert.equal(rulesOf(distinct(mostHostnameRules + 1)).length, 1);
  });
});

describe('records', () => {
  it('are for every hostname that is one name', () => {
    const { hostnames, skipped } = recordsOf({ mode: 'all' });
    assert.deepEqual(hostnames, ['*.example.com', 'a.example.com', 'b.example.com', 'example.com', 'x.y.example.com']);
    assert.deepEqual(
      skipped.map(({ hostname }) => hostname),
      ['*'],
    );
  });

  it('are for names directly below a listed zone, and the others are told', () => {
    const { hostnames, skipped } = recordsOf({ mode: 'zones', zones: ['Example.com', 'other.net'] });
    assert.deepEqual(hostnames, ['*.example.com', 'a.example.com', 'b.example.com']);
    assert.deepEqual(
      skipped.map(({ hostname }) => hostname),
      ['*', 'example.com', 'x.y.example.com'],
    );
    assert.match(skipped[1]?.why ?? '', /not directly below .*example\.com, other\.net/);
  });

  it('take a zone by whole labels', () => {
    const plane = testPlane({ dns: { mode: 'zones', zones: ['ample.com', 'com'] } });
    assert.deepEqual(cloudflareDesired(plane, ['a.example.com', 'com', 'example.com']).records.hostnames, [
      'example.com',
    ]);
  });

  it('are none when switched off', () => {
    assert.deepEqual(recordsOf({ mode: 'off' }), { mode: 'off', hostnames: [], skipped: [] });
  });
});
