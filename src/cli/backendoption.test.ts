import assert from 'node:assert/strict';
import { backendAddresses } from './backendoption.ts';

describe('--backend', () => {
  it('names a port of a Service and an address', () => {
    assert.deepEqual(
      [...backendAddresses(['shop/cart:80=127.0.0.1:3000', 'a/b.c:9=[::1]:1', 'a/b:1=localhost:65535'])],
      [
        ['Service/shop/cart/80', '127.0.0.1:3000'],
        ['Service/a/b.c/9', '[::1]:1'],
        ['Service/a/b/1', 'localhost:65535'],
      ],
    );
  });

  for (const text of ['cart:80=127.0.0.1:1', 'a/b=c:1', 'a/b:80=c', 'a/b:80=c:0', 'a/b:80=c:65536', 'a/b:80=::1:1']) {
    it(`is not ${text}`, () => assert.throws(() => backendAddresses([text]), /is not NAMESPACE\/SERVICE:PORT=/));
  }
});
