import assert from 'node:assert/strict';
import { answering, cleanUp, exchange, get, ok, proxyFor, requestsIn, tableOf, tableTo } from './harness.ts';

/** A fixed sequence of numbers that covers 0 to 1 evenly. */
function even(): () => number {
  let at = 0;
  return () => (at = (at + 0.618_033_988_749_895) % 1);
}

describe('wire: choice of a backend', () => {
  afterEach(cleanUp);

  it('B-14: one bad backend takes its share only', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(
      tableOf(
        [
          {
            backends: [
              { weight: 1, backend: 'a' },
              { weight: 1, answer: { status: 500, why: 'Service missing does not exist' } },
            ],
          },
        ],
        {
          a: { host: '127.0.0.1', port: backend.port, protocol: 'http1' },
        },
      ),
      { random: even() },
    );
    let good = 0;
    for (let index = 0; index < 1000; index += 1) {
      const response = await exchange(proxy.port, get('/'));
      if (response.status === 200) good += 1;
      else assert.deepEqual([response.status, response.body], [500, 'backend unavailable\n']);
    }
    assert.ok(good >= 450 && good <= 550, `${good} of 1000`);
  });

  it('splits by weight, and gives weight 0 nothing', async () => {
    const [a, b, c] = [await answering(ok), await answering(ok), await answering(ok)];
    const proxy = await proxyFor(
      tableOf(
        [
          {
            backends: [
              { weight: 3, backend: 'a' },
              { weight: 1, backend: 'b' },
              { weight: 0, backend: 'c' },
            ],
          },
        ],
        {
          a: { host: '127.0.0.1', port: a.port, protocol: 'http1' },
          b: { host: '127.0.0.1', port: b.port, protocol: 'http1' },
          c: { host: '127.0.0.1', port: c.port, protocol: 'http1' },
        },
      ),
      { random: even() },
    );
    for (let index = 0; index < 400; index += 1) await exchange(proxy.port, get('/'));
    const counts = [a, b, c].map(({ received }) => received.flatMap(requestsIn).length);
    assert.ok((counts[0] ?? 0) >= 290 && (counts[0] ?? 0) <= 310, String(counts));
    assert.equal(counts[2], 0);
  });

  it('B-43: no backends, or all of weight 0, is 500', async () => {
    const proxy = await proxyFor(
      tableOf([{ prefix: '/none' }, { prefix: '/zero', backends: [{ weight: 0, backend: 'a' }] }], {
        a: { host: '127.0.0.1', port: 1, protocol: 'http1' },
      }),
    );
    for (const path of ['/none', '/zero']) {
      const response = await exchange(proxy.port, get(path));
      assert.deepEqual([response.status, response.body], [500, 'no backend available for this route\n']);
    }
  });

  it('a rule that cannot be served answers as the table says, and says nothing of why', async () => {
    const proxy = await proxyFor(tableOf([{ answer: { status: 503, why: 'a secret' } }], {}));
    const response = await exchange(proxy.port, get('/'));
    assert.deepEqual([response.status, response.body], [503, 'backend unavailable\n']);
  });

  it('B-13: reuses backend connections', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    for (let index = 0; index < 20; index += 1) await exchange(proxy.port, get('/'));
    assert.equal(backend.received.length, 1);
  });

  it('B-47: a backend connection past its age takes no new requests', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port), { engine: { connectionAgeMs: 50 } });
    await exchange(proxy.port, get('/'));
    await new Promise((resolve) => setTimeout(resolve, 80));
    await exchange(proxy.port, get('/'));
    assert.equal(backend.received.length, 2);
  });
});
