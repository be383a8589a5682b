import assert from 'node:assert/strict';
import { answering, cleanUp, exchange, fieldValues, get, host, ok, proxyFor, requestsIn, tableTo } from './harness.ts';

describe('wire: an ordinary request', () => {
  afterEach(cleanUp);

  it('reaches the backend and its answer the client', async () => {
    const backend = await answering('HTTP/1.1 200 Fine\r\nContent-Length: 2\r\nX-Answer: yes\r\n\r\nok');
    const proxy = await proxyFor(tableTo(backend.port));
    const response = await exchange(proxy.port, get('/a?b=%2F&c', 'X-Asked: yes'));
    assert.equal(response.status, 200);
    assert.equal(response.reason, 'Fine');
    assert.equal(response.body, 'ok');
    assert.deepEqual(fieldValues(response.fields, 'X-Answer'), ['yes']);
    const [seen] = requestsIn(backend.received[0] ?? '');
    assert.equal(seen?.line, 'GET /a?b=%2F&c HTTP/1.1');
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'X-Asked'), ['yes']);
    assert.deepEqual(fieldValues(seen?.fields ?? [], 'Host'), [host]);
  });

  it('dials a backend by its name', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port, { host: 'localhost' }));
    assert.equal((await exchange(proxy.port, get('/'))).body, 'ok');
  });

  it('a name that does not resolve is 502', async () => {
    const proxy = await proxyFor(tableTo(80, { host: 'no-such-name.invalid' }));
    assert.equal((await exchange(proxy.port, get('/'))).status, 502);
  });

  it('answers 404 for a host that nothing serves', async () => {
    const backend = await answering(ok);
    const proxy = await proxyFor(tableTo(backend.port));
    const response = await exchange(proxy.port, 'GET / HTTP/1.1\r\nHost: other.example.com\r\n\r\n');
    assert.equal(response.status, 404);
    assert.equal(response.body, 'no matching route\n');
    assert.deepEqual(backend.received, []);
  });
});
