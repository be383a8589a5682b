import assert from 'node:assert/strict';
import { createBudget } from './budget.ts';
import { createMemory, createPatience } from './memory.ts';
import { CloudflareFailure, failure } from './problem.ts';

describe('what need not be asked', () => {
  it('is remembered for its time, and shared by those who ask at once', async () => {
    const clock = { now: 0 };
    let reads = 0;
    const memory = createMemory<number>({ now: () => clock.now, lifetimeMs: 10 });
    const read = () => Promise.resolve((reads += 1));
    assert.deepEqual(await Promise.all([memory.get('a', read), memory.get('a', read)]), [1, 1]);
    clock.now = 9;
    assert.equal(await memory.get('a', read), 1);
    clock.now = 10;
    assert.equal(memory.peek('a'), undefined);
    assert.equal(await memory.get('a', read), 2);
  });

  it('is what was written, not what a reading that began before gives', async () => {
    const memory = createMemory<string>({ now: () => 0, lifetimeMs: 10 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const reading = memory.get('a', () => promise);
    memory.set('a', 'written');
    resolve('read');
    assert.equal(await reading, 'read');
    assert.equal(memory.peek('a'), 'written');
  });

  it('does not remember a failure', async () => {
    const memory = createMemory<string>({ now: () => 0, lifetimeMs: 10 });
    await assert.rejects(memory.get('a', () => Promise.reject(new Error('no'))));
    assert.equal(await memory.get('a', () => Promise.resolve('yes')), 'yes');
  });
});

describe('what is not to be asked yet', () => {
  for (const [kind, reason, waits] of [
    ['transient', 'ServerError', [15_000, 15_000, 15_000]],
    ['transient', 'Busy', [5000, 5000, 5000]],
    ['terminal', 'Invalid', [15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]],
  ] as const) {
    it(`fails with the same words, without a call, until its time: ${reason}`, async () => {
      const clock = { now: 0 };
      let calls = 0;
      const patience = createPatience(() => clock.now);
      const call = () => {
        calls += 1;
        return Promise.reject(failure({ kind, reason, message: `failed ${calls}` }));
      };
      for (const [index, wait] of waits.entries()) {
        await assert.rejects(patience.attempt('a', call), new RegExp(`failed ${index + 1}`));
        assert.equal(patience.earliest(), clock.now + wait);
        clock.now += wait - 1;
        await assert.rejects(patience.attempt('a', call), new RegExp(`failed ${index + 1}`));
        clock.now += 1;
      }
      assert.equal(calls, waits.length);
      assert.equal(await patience.attempt('a', () => Promise.resolve(1)), 1);
      assert.equal(patience.earliest(), undefined);
    });
  }
});

describe('the budget of a token', () => {
  it('slides: a call is free again when it is five minutes old', () => {
    const clock = { now: 0 };
    const budget = createBudget({ calls: 2, windowMs: 100 }, () => clock.now);
    budget.take();
    clock.now = 50;
    budget.take();
    assert.equal(budget.left(), 0);
    assert.throws(
      () => budget.take(),
      (error) => error instanceof CloudflareFailure && error.problem.notBefore === 101,
    );
    clock.now = 101;
    budget.take();
    assert.equal(budget.left(), 0);
    clock.now = 151;
    assert.equal(budget.left(), 1);
  });

  it('is nothing while Cloudflare asked to wait', () => {
    const clock = { now: 0 };
    const budget = createBudget({ calls: 2, windowMs: 100 }, () => clock.now);
    budget.blockUntil(30);
    budget.blockUntil(10);
    assert.equal(budget.left(), 0);
    clock.now = 29;
    assert.throws(() => budget.take(), /asked to wait/);
    clock.now = 30;
    budget.take();
  });
});
