import assert from 'node:assert/strict';
import { describedAnswer, differences } from '../../scripts/quickstart/compare.ts';
import { bounds, isAsAsked } from '../../scripts/quickstart/split.ts';
import type { Answer } from '../../scripts/quickstart/request.ts';

const answer: Answer = {
  status: 200,
  headers: { 'cache-control': 'max-age=60' },
  seen: { backend: 'shop/api', method: 'GET', target: '/items/7', headers: { 'x-tier': 'seller' } },
};

describe('An answer beside what was expected', () => {
  it('has no difference where all is as it should be', () => {
    const expected = {
      status: 200,
      backend: 'shop/api',
      target: '/items/7',
      seen: { 'x-tier': 'seller', 'x-debug': null },
      answered: { 'cache-control': 'max-age=60' },
    };
    assert.deepEqual(differences({ expected, target: '/v1/items/7' }, answer), []);
    assert.equal(describedAnswer(answer, '/v1/items/7'), '200 shop/api as /items/7');
  });

  const wrong = [
    { says: 'the status', expected: { status: 404, backend: 'shop/api', target: '/items/7' } },
    { says: 'the backend', expected: { status: 200, backend: 'shop/web', target: '/items/7' } },
    { says: 'a backend where none may be asked', expected: { status: 200 } },
    { says: 'the path', expected: { status: 200, backend: 'shop/api' } },
    { says: 'a missing redirect', expected: { status: 200, backend: 'shop/api', target: '/items/7', location: '/x' } },
    {
      says: 'a header the backend saw',
      expected: { status: 200, backend: 'shop/api', target: '/items/7', seen: { 'x-tier': null } },
    },
    {
      says: 'a header of the answer',
      expected: { status: 200, backend: 'shop/api', target: '/items/7', answered: { 'cache-control': 'no-store' } },
    },
  ];
  for (const { says, expected } of wrong) {
    it(`differs in ${says}`, () => {
      assert.equal(differences({ expected, target: '/v1/items/7' }, answer).length, 1);
    });
  }
});

describe('A measured split', () => {
  it('has bounds of six standard deviations', () => {
    assert.deepEqual(bounds(600, 0.1), { least: 16, most: 104 });
    assert.deepEqual(bounds(600, 0.9), { least: 496, most: 584 });
  });

  it('lets nobody have a share who should have none', () => {
    assert.deepEqual(bounds(600, 0), { least: 0, most: 0 });
    assert.ok(!isAsAsked({ backend: 'x', wanted: 0, got: 1, ...bounds(600, 0) }));
  });

  it('refuses shares that were turned round, and halves', () => {
    assert.ok(!isAsAsked({ backend: 'x', wanted: 0.1, got: 540, ...bounds(600, 0.1) }));
    assert.ok(!isAsAsked({ backend: 'x', wanted: 0.1, got: 300, ...bounds(600, 0.1) }));
    assert.ok(isAsAsked({ backend: 'x', wanted: 0.1, got: 61, ...bounds(600, 0.1) }));
  });
});
