import assert from 'node:assert/strict';
import { accountId, byHand, life, startWorld, token, tunnelIn } from './harness.ts';
import type { World } from './harness.ts';
import { newTunnel } from './state.ts';
import { createCloudflare } from '../../../src/effects/cloudflare/cloudflare.ts';

describe('DNS records', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld({ zones: ['example.com', 'training-example.com', 'example.co.uk', 'b.example.com'] });
  });
  afterEach(() => world.close());

  const names = (): string[] => world.api.state.records.map(({ name }) => name).toSorted();
  const zoneNamed = (name: string): string => world.api.state.zones.find((zone) => zone.name === name)?.id ?? '';

  it('finds the zone by whole labels, the longest first, the apex included; one without a zone stops no other', async () => {
    const hosts = ['example.com', 'www.example.com', 'a.b.example.co.uk', 'notexample.com', 'WWW.training-example.com'];
    const report = await world.start().pass(life([...hosts, '*.b.example.com']));
    assert.deepEqual(
      report.hostnames.map(({ hostname, state, zone }) => [hostname, state, zone]),
      [
        ['example.com', 'applied', 'example.com'],
        ['www.example.com', 'applied', 'example.com'],
        ['a.b.example.co.uk', 'applied', 'example.co.uk'],
        ['notexample.com', 'noZone', undefined],
        ['WWW.training-example.com', 'applied', 'training-example.com'],
        ['*.b.example.com', 'applied', 'b.example.com'],
      ],
    );
    assert.match(report.hostnames[3]?.message ?? '', /no zone of the Cloudflare account holds notexample\.com/);
    assert.deepEqual(names(), [
      '*.b.example.com',
      'a.b.example.co.uk',
      'example.com',
      'www.example.com',
      'www.training-example.com',
    ]);
  });

  it('leaves the records of others alone, names them, and heals when they go', async () => {
    const other = newTunnel(accountId, 'somebody', { configSource: 'cloudflare' });
    world.api.state.tunnels.push(other);
    const web = byHand(world.api, { name: 'www.example.com', type: 'A', content: '198.51.100.4' });
    byHand(world.api, { name: 'shop.example.com', type: 'CNAME', content: `${other.id}.cfargotunnel.com` });
    byHand(world.api, { name: 'ok.example.com', type: 'TXT', content: 'beside a CNAME', proxied: false });
    const before = structuredClone(world.api.state.records);
    const wanted = life(['www.example.com', 'shop.example.com', 'ok.example.com']);
    const account = world.start();
    const report = await account.pass(wanted);
    assert.deepEqual(
      report.hostnames.map(({ state, conflict }) => [state, conflict?.type, conflict?.otherTunnel]),
      [
        ['conflict', 'A', false],
        ['conflict', 'CNAME', true],
        ['applied', undefined, undefined],
      ],
    );
    assert.match(
      report.hostnames[0]?.message ?? '',
      /www\.example\.com already has a record of type A \(198\.51\.100\.4\)/,
    );
    assert.deepEqual(world.api.state.records.slice(0, 3), before);
    world.api.state.records.splice(
      world.api.state.records.findIndex(({ id }) => id === web),
      1,
    );
    world.clock.now += 300_001;
    assert.equal((await account.pass(wanted)).hostnames[0]?.state, 'applied');
    await account.pass(life([], { gone: 'all' }));
    assert.deepEqual(names(), ['ok.example.com', 'shop.example.com']);
  });

  it('takes nothing away when the desired set may lack something', async () => {
    const account = world.start();
    await account.pass(life(['a.example.com', 'b.example.com']));
    const document = tunnelIn(world.api).config;
    const report = await account.pass(life(['c.example.com'], { incomplete: 'HTTPRoutes could not be read' }));
    assert.deepEqual(names(), ['a.example.com', 'b.example.com', 'c.example.com']);
    assert.equal(tunnelIn(world.api).config, document);
    assert.equal(report.hostnames[0]?.state, 'applied');
  });

  it('does not look at DNS where it is not to manage it', async () => {
    const off = life([]);
    const wanted = { ...off, desired: { ...off.desired, records: { ...off.desired.records, mode: 'off' as const } } };
    const account = world.start();
    await account.pass(wanted);
    byHand(world.api, { name: 'x.example.com', type: 'CNAME', content: `${tunnelIn(world.api).id}.cfargotunnel.com` });
    world.clock.now += 300_001;
    await account.pass(wanted);
    const report = await account.pass({ ...wanted, gone: 'all' });
    assert.equal(report.gone, true);
    assert.deepEqual(names(), ['x.example.com']);
    assert.ok(world.api.calls().every(({ path }) => !path.startsWith('/zones')));
  });

  it('does not touch a record that somebody took for himself since it was read', async () => {
    const account = world.start();
    await account.pass(life(['a.example.com']));
    const record = world.api.state.records[0];
    assert.ok(record);
    record.content = 'elsewhere.example.net';
    const report = await account.pass(life([]));
    assert.deepEqual(names(), ['a.example.com']);
    assert.deepEqual(report.problems, []);
    assert.equal(world.api.writes().filter(({ method }) => method === 'DELETE').length, 0);
  });

  it('keeps one refused record from stopping the others, counts an identical one as done, and backs off', async () => {
    const hosts = [1, 2, 3, 4, 5].map((number) => `h${number}.example.com`);
    const account = world.start();
    await account.pass(life(['h0.example.com']));
    byHand(world.api, { name: 'h3.example.com', type: 'CNAME', content: `${tunnelIn(world.api).id}.cfargotunnel.com` });
    // h1 is refused, h2 meets an error of the server; the list in memory does not show the h3 that was made meanwhile.
    const created = { method: 'POST', path: 'dns_records$', times: 1 };
    world.api.faults.add({ path: 'dns_records/batch$', times: 1, status: 400 });
    world.api.faults.add({ ...created, status: 400, errors: [{ code: 81_053, message: 'another record is there' }] });
    world.api.faults.add({ ...created, status: 500 });
    const report = await account.pass(life(hosts));
    assert.deepEqual(
      report.hostnames.map(({ state }) => state),
      ['failed', 'failed', 'applied', 'applied', 'applied'],
    );
    const identical = world.api.calls().filter(({ method, status }) => method === 'POST' && status === 400);
    assert.equal(identical.length, 3);
    assert.match(report.hostnames[0]?.message ?? '', /81053/);
    world.api.forget();
    const soon = await account.pass(life(hosts));
    assert.deepEqual(world.api.writes(), []);
    assert.equal(soon.hostnames[0]?.state, 'failed');
    assert.equal(account.retryAt(), world.clock.now + 15_000);
    world.clock.now += 15_000;
    assert.ok((await account.pass(life(hosts))).hostnames.every(({ state }) => state === 'applied'));
  });

  it('believes an empty list of zones only when it comes twice', async () => {
    const account = world.start();
    await account.pass(life(['a.example.com']));
    const empty = JSON.stringify({
      result: [],
      success: true,
      errors: [],
      messages: [],
      result_info: { page: 1, per_page: 50, count: 0, total_count: 0, total_pages: 0 },
    });
    world.api.faults.add({ path: '^/zones$', times: 1, body: empty });
    const report = await world.start().pass(life(['a.example.com'], { gone: 'all' }));
    assert.equal(report.gone, true);
    assert.deepEqual(names(), []);
  });

  it('deletes nothing on half a list of records, and nothing of the tunnel while a zone cannot be read', async () => {
    const first = life(Array.from({ length: 5 }, (_, number) => `h${number}.example.com`));
    await world.start().pass(first);
    world.api.faults.add({ path: `${zoneNamed('example.com')}/dns_records$`, query: 'page=2', status: 500 });
    const account = world.start({ recordsPerPage: 2 });
    world.api.forget();
    const kept = await account.pass(life(['h0.example.com']));
    assert.equal(kept.hostnames[0]?.state, 'failed');
    assert.deepEqual(
      world.api.writes().filter(({ method }) => method !== 'PUT'),
      [],
    );
    const going = await account.pass(life([], { gone: 'all' }));
    assert.equal(going.gone, false);
    assert.equal(going.problems[0]?.reason, 'ServerError');
    assert.equal(world.api.state.records.length, 5);
    assert.ok(tunnelIn(world.api));
    world.api.faults.clear();
    world.clock.now += 300_001;
    assert.equal((await account.pass(life([], { gone: 'all' }))).gone, true);
    assert.equal(world.api.state.records.length, 0);
  });

  it('reads all pages with no call too many, and ends where the server repeats a page', async () => {
    for (let number = 0; number < 250; number += 1) {
      byHand(world.api, { name: `r${number}.example.com`, type: 'TXT', content: 'x', proxied: false });
    }
    await world.start().pass(life([]));
    world.api.forget();
    await world.start({ recordsPerPage: 100 }).pass(life(['a.example.com']));
    const lists = world.api
      .calls()
      .filter(({ method, path }) => method === 'GET' && path.includes(zoneNamed('example.com')));
    assert.equal(lists.length, 3);
    const repeated = JSON.stringify({
      result: [{ id: 'r', name: 'x.example.com', type: 'TXT', content: 'x', proxied: false }],
      success: true,
      errors: [],
      messages: [],
      result_info: { page: 1, per_page: 1, count: 1, total_count: 1 },
    });
    world.api.faults.add({ path: 'dns_records$', method: 'GET', body: repeated });
    world.api.forget();
    const report = await world.start({ recordsPerPage: 1 }).pass(life(['b.example.com']));
    assert.deepEqual(report.problems, []);
    assert.equal(
      world.api.calls().filter(({ path, query }) => path.includes(zoneNamed('example.com')) && query.includes('page=2'))
        .length,
      1,
    );
  });

  it('does not wait for zones that this token may not read, unless a wanted hostname is there', async () => {
    world.api.faults.add({ path: `${zoneNamed('example.co.uk')}/dns_records`, status: 403 });
    const account = world.start();
    await account.pass(life(['a.example.com']));
    const report = await world.start().pass(life(['a.example.com', 'b.example.co.uk']));
    assert.deepEqual(
      report.hostnames.map(({ state }) => state),
      ['applied', 'failed'],
    );
    assert.match(report.hostnames[1]?.message ?? '', /DNS: Edit/);
    assert.equal((await world.start().pass(life(['a.example.com'], { gone: 'all' }))).gone, true);
  });

  it('makes and takes away hundreds of records in a few calls', async () => {
    const hosts = Array.from(
      { length: 500 },
      (_, number) => `h${number}.${number % 2 === 0 ? 'example.com' : 'example.co.uk'}`,
    );
    const account = world.start();
    const report = await account.pass(life(hosts));
    assert.ok(report.hostnames.every(({ state }) => state === 'applied'));
    assert.equal(report.steps.length, 502);
    assert.ok(world.api.calls().length <= 20, `${world.api.calls().length} calls`);
    const taken = world.api.state.records[7];
    assert.ok(taken);
    taken.content = 'elsewhere.example.net';
    world.api.forget();
    assert.equal((await account.pass(life(hosts, { gone: 'all' }))).gone, true);
    assert.deepEqual(names(), [taken.name]);
    assert.ok(world.api.calls().length <= 20, `${world.api.calls().length} calls`);
  });

  it('makes the others one by one when a batch is refused for one of them', async () => {
    const hosts = [1, 2, 3, 4, 5, 6].map((number) => `h${number}.example.com`);
    const account = world.start();
    await account.pass(life(['h0.example.com']));
    byHand(world.api, { name: 'h3.example.com', type: 'A', content: '192.0.2.1' });
    const report = await account.pass(life(hosts));
    assert.deepEqual(
      report.hostnames.map(({ state }) => state),
      ['applied', 'applied', 'conflict', 'applied', 'applied', 'applied'],
    );
    assert.deepEqual(names(), hosts);
    for (const reset of ['before', 'after'] as const) {
      world.api.faults.add({ path: 'batch$', times: 1, reset });
      const more = hosts.map((name) => `${reset}-${name}`);
      const lost = await account.pass(life(more));
      assert.equal(lost.problems[0]?.reason, 'Unreachable');
      world.clock.now += 60_000;
      assert.ok((await account.pass(life(more))).hostnames.every(({ state }) => state === 'applied'));
      assert.deepEqual(names(), [...more, 'h3.example.com'].toSorted());
    }
  });

  it('reads each zone once for all planes', async () => {
    const account = world.start();
    const planes = ['one', 'two', 'three'].map((name) => {
      const { desired } = life([`${name}.example.com`]);
      return { desired: { ...desired, tunnel: { name } } };
    });
    await Promise.all(planes.map((plane) => account.pass(plane)));
    const lists = world.api.calls().filter(({ method, path }) => method === 'GET' && path.startsWith('/zones/'));
    assert.equal(lists.length, 1);
    assert.deepEqual(names(), ['one.example.com', 'three.example.com', 'two.example.com']);
  });

  it('finds the records of long ago in any zone when a controller starts anew', async () => {
    await world.start().pass(life(['a.example.co.uk']));
    await world.start().pass(life(['b.example.com']));
    assert.deepEqual(names(), ['b.example.com']);
  });

  it('is the same account for the same credentials, and another for others', () => {
    const cloudflare = createCloudflare({ baseUrl: world.api.baseUrl });
    const one = cloudflare.account({ token, accountId });
    assert.equal(cloudflare.account({ token, accountId }), one);
    assert.notEqual(cloudflare.account({ token: 'other', accountId }), one);
    cloudflare.keepOnly([]);
    assert.notEqual(cloudflare.account({ token, accountId }), one);
  });
});
