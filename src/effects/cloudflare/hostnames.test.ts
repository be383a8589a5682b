import assert from 'node:assert/strict';
import { normalName, zoneOf } from './hostnames.ts';

const zones = ['example.com', 'example.co.uk', 'training-example.com', 'b.example.com', 'xn--bcher-kva.example'].map(
  (name) => ({
    id: name,
    name,
  }),
);

describe('the zone of a hostname', () => {
  const cases: [string, string | undefined][] = [
    ['example.com', 'example.com'],
    ['www.example.com', 'example.com'],
    ['a.b.example.com', 'b.example.com'],
    ['*.example.com', 'example.com'],
    ['a.b.example.co.uk', 'example.co.uk'],
    ['www.training-example.com', 'training-example.com'],
    ['notexample.com', undefined],
    ['example.org', undefined],
    ['com', undefined],
    ['EXAMPLE.com.', 'example.com'],
    ['www.Bücher.example', 'xn--bcher-kva.example'],
  ];
  for (const [hostname, zone] of cases) {
    it(`of ${hostname} is ${zone ?? 'none'}`, () => assert.equal(zoneOf(hostname, zones)?.name, zone));
  }

  it('is found by the normal form of names', () => {
    assert.equal(normalName('*.BÜCHER.example.'), '*.xn--bcher-kva.example');
    assert.equal(normalName('_acme.Example.com'), '_acme.example.com');
  });
});
