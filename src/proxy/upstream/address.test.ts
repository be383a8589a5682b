import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { authorityOf, certificateName, createLookup, dialledName, parseAddress } from './address.ts';

describe('addresses', () => {
  it('a name with a dot is dialled with a final one; addresses and single labels are left alone', () => {
    assert.equal(dialledName('a.ns.svc.cluster.local'), 'a.ns.svc.cluster.local.');
    assert.equal(dialledName('a.ns.'), 'a.ns.');
    for (const host of ['10.0.0.1', 'fd00::1', 'localhost']) assert.equal(dialledName(host), host);
    assert.equal(certificateName('origin.example.net.'), 'origin.example.net');
    assert.equal(certificateName('10.0.0.1'), undefined);
  });

  it('reads the addresses of the endpoints document', () => {
    assert.deepEqual(parseAddress('10.0.0.1:8080'), { host: '10.0.0.1', port: 8080 });
    assert.deepEqual(parseAddress('[fd00::1]:80'), { host: 'fd00::1', port: 80 });
    for (const broken of ['10.0.0.1', ':80', '10.0.0.1:0', '10.0.0.1:99999', '10.0.0.1:x', ''])
      assert.equal(parseAddress(broken), undefined, broken);
    assert.equal(authorityOf({ host: 'fd00::1', port: 80 }), '[fd00::1]:80');
  });

  it('a lookup that fails gives the last good addresses; one that never worked fails', () => {
    const answers: (LookupAddress[] | undefined)[] = [[{ address: '10.0.0.1', family: 4 }], undefined];
    const lookup = createLookup((_name, _options, done) => {
      const next = answers.shift();
      done(next ? null : Object.assign(new Error('no'), { code: 'EAI_AGAIN' }), next ?? []);
    });
    const seen: unknown[] = [];
    lookup('a', { all: true }, (error, addresses) => seen.push(error ?? addresses));
    lookup('a', {}, (error, address, family) => seen.push(error ?? [address, family]));
    lookup('b', {}, (error) => seen.push(error?.message));
    assert.deepEqual(seen, [[{ address: '10.0.0.1', family: 4 }], ['10.0.0.1', 4], 'no']);
  });
});
