import assert from 'node:assert/strict';
import { known } from './observed.ts';
import type { CloudflareObserved, DnsRecord, Seen } from './observed.ts';
import { planCloudflare } from './plan.ts';
import { failure } from './problem.ts';
import { printStep } from './step.ts';
import type { TunnelLife } from './step.ts';

const document = { ingress: [{ service: 'http://127.0.0.1:8080' }] };
const tunnel = { id: 't1', name: 'edge', remote: true, connections: 0 };
const { problem } = failure({ kind: 'transient', reason: 'ServerError', message: 'the API is down' });
const unknown: Seen<never> = { state: 'unknown', problem };

function life(hostnames: readonly string[], changes: Partial<TunnelLife> = {}): TunnelLife {
  const records = { mode: 'all' as const, hostnames, skipped: [] };
  return { desired: { tunnel: { name: 'edge' }, document, records }, ...changes };
}

function cname(name: string, to = 't1'): DnsRecord {
  return { id: name, name, type: 'CNAME', content: `${to}.cfargotunnel.com`, proxied: true };
}

function observed(records: readonly DnsRecord[], changes: Partial<CloudflareObserved> = {}): CloudflareObserved {
  return {
    tunnel: known(tunnel),
    formerIds: [],
    token: known({ hash: 'h', reveal: () => 'token' }),
    document: known(document),
    zones: known([{ id: 'z', name: 'example.com', records: known(records) }]),
    ...changes,
  };
}

function lines(wanted: TunnelLife, seen: CloudflareObserved): string[] {
  return planCloudflare(wanted, seen).steps.map(printStep);
}

describe('the plan', () => {
  it('is empty for equal desired and observed', () => {
    assert.deepEqual(lines(life(['a.example.com']), observed([cname('a.example.com')])), []);
  });

  it('does nothing while the tunnel is unknown, and says so for each hostname', () => {
    for (const gone of [undefined, 'all'] as const) {
      const wanted = life(['a.example.com'], gone === undefined ? {} : { gone });
      const plan = planCloudflare(wanted, observed([], { tunnel: unknown }));
      assert.deepEqual([plan.steps, plan.problems, plan.gone], [[], [problem], false]);
      assert.equal(plan.hostnames[0]?.state, gone === undefined ? 'failed' : undefined);
    }
  });

  it('goes on with what is known beside what is not', () => {
    const wanted = life(['a.example.com'], { rotateFrom: 'h' });
    assert.deepEqual(lines(wanted, observed([], { document: unknown })), [
      'give tunnel t1 a new secret',
      'create CNAME a.example.com in zone example.com',
    ]);
    assert.deepEqual(lines(wanted, observed([], { zones: unknown, document: known({}) })), [
      'give tunnel t1 a new secret',
      'write the ingress document (1 rules)',
    ]);
    assert.deepEqual(lines(wanted, observed([cname('a.example.com')], { token: unknown })), []);
  });

  it('rotates only while Cloudflare has the token that is to go', () => {
    assert.deepEqual(lines(life([], { rotateFrom: 'older' }), observed([])), []);
  });

  it('keeps the tunnel while any record is unknown', () => {
    const zones = known([
      { id: 'z', name: 'example.com', records: known([cname('a.example.com')]) },
      { id: 'y', name: 'example.org', records: unknown },
    ]);
    const plan = planCloudflare(life([], { gone: 'all' }), observed([], { zones }));
    assert.deepEqual(plan.steps.map(printStep), ['delete CNAME a.example.com in zone example.com']);
    assert.equal(plan.gone, false);
  });

  it('takes all away in order, connections only where there are any', () => {
    const connected = { tunnel: known({ ...tunnel, connections: 4 }) };
    assert.deepEqual(lines(life(['a.example.com'], { gone: 'all' }), observed([cname('a.example.com')], connected)), [
      'delete CNAME a.example.com in zone example.com',
      'remove the connections of tunnel t1',
      'delete tunnel t1',
    ]);
    assert.deepEqual(lines(life([], { gone: 'all' }), observed([])), ['delete tunnel t1']);
    assert.equal(planCloudflare(life([], { gone: 'all' }), observed([], { tunnel: { state: 'absent' } })).gone, true);
  });

  it('mends what points to a deleted tunnel of the plane, and lets be what points to any other', () => {
    const records = [cname('a.example.com', 't0'), cname('b.example.com', 'x')];
    const plan = planCloudflare(life(['a.example.com', 'b.example.com']), observed(records, { formerIds: ['t0'] }));
    assert.deepEqual(plan.steps.map(printStep), [
      'update CNAME a.example.com in zone example.com: it points to a tunnel that was deleted',
    ]);
    assert.deepEqual(
      plan.hostnames.map(({ state }) => state),
      ['waiting', 'conflict'],
    );
  });

  it('does not take away records that others made beside ours', () => {
    const other: DnsRecord = {
      id: 'x',
      name: 'old.example.com',
      type: 'TXT',
      content: 't1.cfargotunnel.com',
      proxied: false,
    };
    assert.deepEqual(lines(life([]), observed([other, cname('old.example.com'), cname('their.example.com', 'x')])), [
      'delete CNAME old.example.com in zone example.com',
    ]);
  });
});
