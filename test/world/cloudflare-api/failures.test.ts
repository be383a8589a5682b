import assert from 'node:assert/strict';
import { createCloudflare } from '../../../src/effects/cloudflare/cloudflare.ts';
import { CloudflareFailure } from '../../../src/effects/cloudflare/problem.ts';
import { accountId, byHand, endState, life, startWorld, token, tunnelIn, tunnelName } from './harness.ts';
import type { World } from './harness.ts';
import { newTunnel } from './state.ts';

const hosts = ['a.example.com', 'b.example.com'];

describe('failures of the Cloudflare API', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.close());

  it('makes exactly one tunnel when the answer to the create is lost', async () => {
    world.api.faults.add({ method: 'POST', path: 'cfd_tunnel$', times: 1, reset: 'after' });
    const account = world.start();
    const report = await account.pass(life(hosts));
    assert.equal(report.problems[0]?.reason, 'Unreachable');
    world.clock.now += 15_000;
    assert.deepEqual((await account.pass(life(hosts))).problems, []);
    assert.equal(world.api.state.tunnels.length, 1);
    assert.equal(
      world.api.calls().filter(({ method, path }) => method === 'POST' && path.endsWith('cfd_tunnel')).length,
      1,
    );
  });

  it('does not repeat a create by itself after a 500, a 429 or a time-out', async () => {
    for (const fault of [{ status: 500 }, { status: 429 }, { delay: 300 }]) {
      world.api.forget();
      world.api.faults.clear();
      world.api.faults.add({ method: 'POST', path: 'cfd_tunnel$', ...fault });
      await world.start({ timeoutMs: 100 }).pass(life(hosts));
      assert.equal(world.api.writes().length, 1, JSON.stringify(fault));
    }
  });

  it('repeats a read that failed for a moment', async () => {
    world.api.faults.add({
      method: 'GET',
      path: 'cfd_tunnel$',
      times: 1,
      status: 502,
      body: '<html>bad gateway</html>',
    });
    world.api.faults.add({ method: 'GET', path: '^/zones$', times: 1, reset: 'before' });
    world.api.faults.add({ method: 'GET', path: 'dns_records$', times: 1, body: '{"result": [' });
    const report = await world.start({ readRetries: [1, 1] }).pass(life(hosts));
    assert.deepEqual(report.problems, []);
    assert.equal(world.api.state.records.length, 2);
  });

  for (const [title, fault] of Object.entries({
    'malformed JSON': { body: '{"result": [' },
    'a page that is not the API': { body: '<html>hello</html>' },
    'success false with status 200': { errors: [{ code: 10_001, message: 'not today' }] },
    'no result': { body: '{"success":true,"errors":[],"messages":[],"result":null}' },
    'an empty body': { body: '' },
    'a body that never ends': { headers: { 'content-length': '1000' }, body: '{' },
    'a server error': { status: 500 },
    'a cut connection': { reset: 'before' as const },
    'an empty object': { body: '{}' },
  })) {
    it(`${title}, for any one of the reads: what is there stays there`, async () => {
      await world.start().pass(life(hosts));
      byHand(world.api, { name: 'foreign.example.org', type: 'A', content: '192.0.2.1' });
      const before = endState(world.api);
      const reads = ['cfd_tunnel$', 'token$', 'configurations$', '^/zones$', 'dns_records$'];
      for (const path of reads) {
        world.api.faults.clear();
        world.api.faults.add({ method: 'GET', path, ...fault });
        world.api.forget();
        const report = await world.start({ timeoutMs: 200 }).pass(life(hosts));
        assert.deepEqual(world.api.writes(), [], path);
        assert.ok(report.problems.length > 0, path);
        assert.ok(report.problems.every(({ message }) => !message.includes(token) && message.length < 400));
      }
      world.api.faults.clear();
      assert.deepEqual(endState(world.api), before);
    });
  }

  it('takes no write for done that the answer says was not', async () => {
    world.api.faults.add({ method: 'PUT', path: 'configurations$', times: 1, errors: [{ code: 1056, message: 'no' }] });
    world.api.faults.add({ method: 'POST', path: 'dns_records$', times: 1, errors: [{ code: 1004, message: 'no' }] });
    const account = world.start();
    const report = await account.pass(life(['a.example.com']));
    assert.deepEqual(
      report.steps.map(({ step, problem }) => [step.kind, problem?.reason]),
      [
        ['createTunnel', undefined],
        ['writeDocument', 'Invalid'],
        ['createRecord', 'Invalid'],
      ],
    );
    assert.equal(report.hostnames[0]?.state, 'failed');
  });

  it('takes an empty answer to a deletion for done', async () => {
    const account = world.start();
    await account.pass(life(hosts));
    world.api.faults.add({ method: 'DELETE', path: 'connections$', status: 200, body: '' });
    tunnelIn(world.api).connections = [{ id: 'x', client_id: 'y', colo_name: 'fra', opened_at: 'now' }];
    world.clock.now += 300_001;
    const report = await account.pass(life(hosts, { gone: 'all' }));
    assert.deepEqual(
      report.steps.map(({ step, problem }) => [step.kind, problem?.reason]),
      [
        ['deleteRecord', undefined],
        ['deleteRecord', undefined],
        ['clearConnections', undefined],
        ['deleteTunnel', 'Busy'],
      ],
    );
  });

  it('keeps records and document apart: one may fail while the other is done', async () => {
    world.api.faults.add({ path: 'configurations', status: 500 });
    world.api.faults.add({ path: 'token$', status: 500 });
    const account = world.start();
    const report = await account.pass(life(hosts));
    assert.ok(report.hostnames.every(({ state }) => state === 'applied'));
    assert.ok(report.tunnel !== undefined && report.token === undefined);
    world.api.faults.clear();
    world.api.faults.add({ path: '^/zones', status: 500 });
    world.clock.now += 300_001;
    const other = await account.pass(life(hosts));
    assert.ok(other.hostnames.every(({ state }) => state === 'failed'));
    assert.deepEqual(tunnelIn(world.api).config?.ingress, life(hosts).desired.document.ingress);
  });

  it('asks again only every 15 seconds, however often it is run', async () => {
    world.api.faults.add({ status: 500 });
    const account = world.start();
    const asked: number[] = [];
    const start = world.clock.now;
    for (let second = 0; second < 60; second += 1) {
      world.api.forget();
      await account.pass(life(hosts));
      if (world.api.calls().length > 0) asked.push((world.clock.now - start) / 1000);
      world.clock.now += 1000;
    }
    assert.deepEqual(asked, [0, 15, 30, 45]);
  });

  it('makes no call before Retry-After is over, whichever account asks with that token', async () => {
    world.api.faults.add({ status: 429, times: 1, headers: { 'retry-after': '30' } });
    const cloudflare = createCloudflare({ baseUrl: world.api.baseUrl, now: () => world.clock.now, readRetries: [1] });
    const [one, two] = [cloudflare.account({ token, accountId }), cloudflare.account({ token, accountId: 'acc2' })];
    assert.equal((await one.pass(life(hosts))).problems[0]?.reason, 'RateLimited');
    assert.equal(one.retryAt(), world.clock.now + 30_000);
    world.api.forget();
    world.clock.now += 29_000;
    const early = await two.pass(life(hosts));
    assert.match(early.problems[0]?.message ?? '', /wait for 1 s/);
    await one.pass(life(hosts));
    assert.deepEqual(world.api.calls(), []);
    assert.equal(early.problems[0]?.notBefore, world.clock.now + 1000);
    world.clock.now += 1000;
    assert.deepEqual((await one.pass(life(hosts))).problems, []);
  });

  it('stops itself before the limit of the API, and goes on where it stopped', async () => {
    await world.close();
    world = await startWorld({ rateLimit: { calls: 6, windowMs: 300_000 } });
    const many = Array.from({ length: 40 }, (_, number) => `h${number}.example.com`);
    const account = world.start({ limits: { calls: 5, windowMs: 300_000 }, lifetimeMs: 3_000_000 });
    const first = await account.pass(life(many));
    assert.ok(first.problems.some(({ reason }) => reason === 'RateLimited'));
    assert.equal(world.api.calls().length, 5);
    assert.equal(account.callsLeft(), 0);
    assert.ok(world.api.calls().every(({ status }) => status === 200));
    world.api.forget();
    await account.pass(life(many));
    assert.deepEqual(world.api.calls(), []);
    world.clock.now += 300_001;
    assert.ok((await account.pass(life(many))).hostnames.every(({ state }) => state === 'applied'));
    assert.ok(world.api.calls().every(({ status }) => status === 200));
  });

  it('says what a refused credential needs, never shows it, and recovers', async () => {
    world.api.refuseToken(token);
    world.api.faults.add({
      times: 1,
      status: 401,
      errors: [{ code: 10_000, message: `Authorization: Bearer ${token} is bad` }],
    });
    const account = world.start();
    const report = await account.pass(life(hosts));
    assert.equal(report.problems[0]?.reason, 'CredentialRefused');
    assert.equal(report.problems[0]?.kind, 'transient');
    assert.match(report.problems[0]?.message ?? '', /Cloudflare Tunnel: Edit/);
    assert.ok(!JSON.stringify(report).includes(token));
    world.api.acceptToken(token);
    world.clock.now += 15_000;
    assert.deepEqual((await account.pass(life(hosts))).problems, []);
  });

  it('shows the tunnel token nowhere but where it is asked for', async () => {
    const report = await world.start().pass(life(hosts));
    const text = report.token?.reveal() ?? '';
    assert.ok(text.length > 40);
    assert.ok(!JSON.stringify(report).includes(text));
    assert.ok(!JSON.stringify(report).includes(tunnelIn(world.api).secret));
  });

  it('sends nothing of the environment', async () => {
    const given = {
      CLOUDFLARE_API_KEY: 'key-of-another',
      CLOUDFLARE_EMAIL: 'someone@example.net',
      CLOUDFLARE_BASE_URL: 'http://127.0.0.1:1',
      CLOUDFLARE_CUSTOM_HEADERS: 'x-custom: yes',
      CLOUDFLARE_LOG: 'debug',
    };
    Object.assign(process.env, given);
    try {
      await world.start().pass(life(hosts));
    } finally {
      for (const name of Object.keys(given)) delete process.env[name];
    }
    const names = new Set(world.api.calls().flatMap(({ headers }) => Object.keys(headers)));
    assert.deepEqual(
      [...names].filter((name) => /^(x-|api-version|cf-)/.test(name)),
      [],
    );
    assert.ok(world.api.calls().every((call) => call.token === token));
  });

  it('ends at once when the controller stops', async () => {
    const stop = new AbortController();
    world.api.faults.add({ delay: 60_000 });
    const pass = world.start({ signal: stop.signal, timeoutMs: 60_000 }).pass(life(hosts));
    setTimeout(() => stop.abort(), 20);
    assert.deepEqual(
      (await pass).problems.map(({ reason }) => reason),
      ['Stopped'],
    );
  });

  it('neither takes nor deletes a tunnel of its name that is managed on a machine', async () => {
    world.api.state.tunnels.push(newTunnel(accountId, tunnelName, { configSource: 'local' }));
    const account = world.start();
    const report = await account.pass(life(hosts));
    assert.deepEqual(
      report.problems.map(({ kind, reason }) => [kind, reason]),
      [['terminal', 'NotOurs']],
    );
    assert.equal(report.tunnel, undefined);
    assert.equal((await account.pass(life(hosts, { gone: 'all' }))).gone, true);
    assert.deepEqual(world.api.writes(), []);
  });

  it('adopts a tunnel of its name after the cluster was rebuilt, and ignores deleted ones', async () => {
    const deleted = newTunnel(accountId, tunnelName, { configSource: 'cloudflare' });
    deleted.deletedAt = new Date().toISOString();
    const live = newTunnel(accountId, tunnelName, { configSource: 'cloudflare' });
    world.api.state.tunnels.push(deleted, live);
    const report = await world.start().pass(life(hosts));
    assert.equal(report.tunnel?.id, live.id);
    assert.equal(world.api.state.tunnels.length, 2);
  });

  it('carries out a step on its own, and says so when it cannot', async () => {
    const account = world.start();
    const zone = { id: world.api.state.zones[0]?.id ?? '', name: 'example.com' };
    const step = { kind: 'createRecord', zone, hostname: 'a.example.com' } as const;
    await assert.rejects(account.carryOut(life(hosts), step), (error) => {
      assert.ok(error instanceof CloudflareFailure);
      assert.match(error.message, /does not exist yet/);
      return true;
    });
  });
});
