import assert from 'node:assert/strict';
import { askedRequest, splitWords } from './request.ts';

describe('the request of cfgwctl route', () => {
  it('is what a client would send: path as written, no fragment, other characters escaped', () => {
    const sent = (url: string): string => askedRequest('GET', url, []).target;
    assert.equal(sent('https://a.example'), '/');
    assert.equal(sent('a.example/x/../%2e/y?q=1#part'), '/x/../%2e/y?q=1');
    assert.equal(sent('a.example?q=ä b'), '/?q=%C3%A4%20b');
    assert.equal(sent('a.example/{id}|^`'), '/{id}|^`');
  });

  it('has one Host: that of the URL, or the one that -H names', () => {
    const host = (url: string, ...lines: string[]): readonly string[] => askedRequest('GET', url, lines).rawHeaders;
    assert.deepEqual(host('https://a.example:8443/x'), ['Host', 'a.example:8443']);
    assert.deepEqual(host('https://a.example/', 'host: b.example', 'X-A:  1 '), ['Host', 'b.example', 'X-A', '1']);
    assert.deepEqual(host('https://bücher.example:80/'), ['Host', 'xn--bcher-kva.example:80']);
  });

  it('is refused where it is none', () => {
    assert.throws(() => askedRequest('GE T', 'a.example', []), /GE T is no method/);
    assert.throws(() => askedRequest('GET', '/x', []), /names no host/);
    assert.throws(() => askedRequest('GET', 'a.example', ['no header']), /is no header; write it as "Name: value"/);
  });

  it('is found among the words that -f has taken', () => {
    const url = 'http://a.example/';
    assert.deepEqual(splitWords(['a', 'b', 'GET', url], []), { files: ['a', 'b'], request: ['GET', url] });
    assert.deepEqual(splitWords(['a', 'GET'], [url]), { files: ['a'], request: ['GET', url] });
    assert.deepEqual(splitWords(['a', 'GET', url, 'b'], []), { files: ['a', 'b'], request: ['GET', url] });
    assert.deepEqual(splitWords(['a'], ['GET', url]), { files: ['a'], request: ['GET', url] });
    assert.deepEqual(splitWords(['a', 'b'], [url]), { files: ['a', 'b'], request: [url] });
  });
});
