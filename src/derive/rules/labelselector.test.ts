import assert from 'node:assert/strict';
import { matchesLabels, selectorProblem, type LabelSelector } from './labelselector.ts';

const one = (operator: string, values?: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key: 'tier', operator, ...(values === undefined ? {} : { values }) }],
});

describe('Label selectors', () => {
  for (const { selector, holds, fails } of [
    { selector: { matchLabels: { tier: 'a' } }, holds: [{ tier: 'a', x: 'y' }], fails: [{}, { tier: 'b' }] },
    { selector: one('In', ['a', 'b']), holds: [{ tier: 'b' }], fails: [{}, { tier: 'c' }] },
    { selector: one('NotIn', ['a']), holds: [{}, { tier: 'b' }], fails: [{ tier: 'a' }] },
    { selector: one('Exists'), holds: [{ tier: '' }], fails: [{}] },
    { selector: one('DoesNotExist'), holds: [{}], fails: [{ tier: 'a' }] },
    { selector: {}, holds: [{}, { tier: 'a' }], fails: [] },
    {
      selector: { matchLabels: { tier: 'a' }, ...one('NotIn', ['a']) },
      holds: [],
      fails: [{ tier: 'a' }, { tier: 'b' }, {}],
    },
  ] as readonly { selector: LabelSelector; holds: Record<string, string>[]; fails: Record<string, string>[] }[])
    it(`select by ${JSON.stringify(selector)}`, () => {
      assert.equal(selectorProblem(selector), undefined);
      for (const labels of holds) assert.ok(matchesLabels(selector, labels), JSON.stringify(labels));
      for (const labels of fails) assert.ok(!matchesLabels(selector, labels), JSON.stringify(labels));
    });

  it('that do not parse say why', () => {
    assert.match(selectorProblem(one('Near', ['a'])) ?? '', /Near/);
    assert.match(selectorProblem(one('In')) ?? '', /needs values/);
    assert.match(selectorProblem(one('Exists', ['a'])) ?? '', /takes no values/);
    assert.match(selectorProblem(one('In', ['a b'])) ?? '', /"a b"/);
    for (const key of ['a b', '', '-a', 'a/b/c', '/a', 'Example.com/a', 'a'.repeat(64)])
      assert.match(selectorProblem({ matchLabels: { [key]: 'x' } }) ?? '', /cannot be the key/, key);
    assert.equal(selectorProblem({ matchLabels: { 'example.com/a_b.c': '', A: 'x'.repeat(63) } }), undefined);
  });
});
