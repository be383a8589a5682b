import assert from 'node:assert/strict';
import { documentToWrite, sameDocument } from './document.ts';

const rule = { hostname: 'a.example.com', service: 'http://127.0.0.1:8080', originRequest: { connectTimeout: 5 } };
const last = { service: 'http://127.0.0.1:8080' };

describe('the ingress document', () => {
  it('is the same whatever empty members the API adds and in whatever order members stand', () => {
    const read = {
      'warp-routing': { enabled: false },
      ingress: [
        { originRequest: { connectTimeout: 5 }, service: rule.service, path: '', hostname: rule.hostname },
        { ...last, originRequest: {}, id: null },
      ],
      originRequest: {},
    };
    assert.ok(sameDocument({ ingress: [rule, last] }, read));
  });

  it('differs by any rule, its order, a setting, and by settings for all rules that are not ours', () => {
    const desired = { ingress: [rule, { ...rule, hostname: 'b.example.com' }, last] };
    const others = [
      {},
      { ingress: [rule, last] },
      { ingress: [desired.ingress[1], desired.ingress[0], last] },
      { ingress: [{ ...rule, originRequest: { connectTimeout: 6 } }, desired.ingress[1], last] },
      { ...desired, originRequest: { httpHostHeader: 'x' } },
    ];
    for (const other of others) assert.ok(!sameDocument(desired, other), JSON.stringify(other));
  });

  it('keeps private networks when it is written, and nothing else', () => {
    const written = documentToWrite(
      { ingress: [last] },
      { ingress: [], originRequest: { noTLSVerify: true }, 'warp-routing': { enabled: true } },
    );
    assert.deepEqual(written, { ingress: [last], 'warp-routing': { enabled: true } });
  });
});
