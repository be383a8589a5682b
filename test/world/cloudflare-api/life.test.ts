import assert from 'node:assert/strict';
import { planCloudflare } from '../../../src/effects/cloudflare/plan.ts';
import { printStep } from '../../../src/effects/cloudflare/step.ts';
import type { TunnelLife } from '../../../src/effects/cloudflare/step.ts';
import { connect } from './control.ts';
import { byHand, endState, life, startWorld, tunnelIn, tunnelName, writes } from './harness.ts';
import type { World } from './harness.ts';
import { tokenOf } from './state.ts';

const hosts = ['a.example.com', 'b.example.com', 'c.example.org'];

describe('the life of a plane at Cloudflare', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.close());

  it('goes from nothing to a tunnel, a document and records, and back to nothing', async () => {
    const account = world.start();
    const report = await account.pass(life(hosts));
    assert.deepEqual(
      report.steps.map(({ text, problem }) => problem?.message ?? text),
      [
        `create tunnel ${tunnelName}`,
        'write the ingress document (4 rules)',
        'create CNAME a.example.com in zone example.com',
        'create CNAME b.example.com in zone example.com',
        'create CNAME c.example.org in zone example.org',
      ],
    );
    const tunnel = tunnelIn(world.api);
    assert.equal(report.tunnel?.address, `${tunnel.id}.cfargotunnel.com`);
    assert.equal(report.token?.reveal(), tokenOf(tunnel));
    assert.deepEqual(
      report.hostnames.map(({ state }) => state),
      ['applied', 'applied', 'applied'],
    );
    assert.deepEqual(report.problems, []);
    assert.deepEqual(endState(world.api), {
      tunnels: [{ name: tunnelName, config: { ...life(hosts).desired.document, 'warp-routing': { enabled: false } } }],
      records: hosts.map((name) => ({ name, type: 'CNAME', proxied: true, content: `the tunnel ${tunnelName}` })),
    });
    const gone = await account.pass(life(hosts, { gone: 'all' }));
    assert.equal(gone.gone, true);
    assert.deepEqual(endState(world.api), { tunnels: [], records: [] });
  });

  it('makes no call in a steady state, and only reads once what it knows is five minutes old', async () => {
    const account = world.start();
    await account.pass(life(hosts));
    world.api.forget();
    await account.pass(life(hosts));
    await account.pass(life(hosts));
    assert.deepEqual(world.api.calls(), []);
    world.clock.now += 300_001;
    const report = await account.pass(life(hosts));
    assert.deepEqual(report.steps, []);
    assert.deepEqual(world.api.writes(), []);
    // The tunnel, its token, its document, the zones, and one list for each zone.
    assert.equal(world.api.calls().length, 6);
  });

  it('writes nothing when a new controller finds everything as it should be', async () => {
    await world.start().pass(life(hosts));
    const before = tunnelIn(world.api).id;
    world.api.forget();
    const report = await world.start().pass(life(hosts));
    assert.deepEqual(report.steps, []);
    assert.deepEqual(world.api.writes(), []);
    assert.equal(report.tunnel?.id, before);
  });

  it('makes the new record before the old one goes, whether the controller ran or not', async () => {
    for (const restart of [false, true]) {
      const account = world.start();
      await account.pass(life(['old.example.com']));
      world.api.forget();
      await (restart ? world.start() : account).pass(life(['new.example.org']));
      const changes = world.api.writes().filter(({ path }) => path.includes('dns_records'));
      assert.deepEqual(
        changes.map(({ method }) => method),
        ['POST', 'DELETE'],
      );
      assert.deepEqual(
        world.api.state.records.map(({ name }) => name),
        ['new.example.org'],
      );
    }
  });

  it('reverts what somebody changed in the dashboard, and keeps his private networks', async () => {
    const account = world.start();
    await account.pass(life(hosts));
    const tunnel = tunnelIn(world.api);
    tunnel.config = { ingress: [{ service: 'http_status:404' }], 'warp-routing': { enabled: true } };
    for (const record of world.api.state.records) record.proxied = false;
    world.clock.now += 300_001;
    await account.pass(life(hosts));
    assert.deepEqual(tunnel.config, { ...life(hosts).desired.document, 'warp-routing': { enabled: true } });
    assert.ok(world.api.state.records.every(({ proxied }) => proxied));
  });

  it('gives a new secret once, whenever it is stopped, for one request to rotate', async () => {
    const account = world.start();
    const before = (await account.pass(life(hosts))).token?.hash ?? '';
    const rotating = life(hosts, { rotateFrom: before });
    const report = await account.pass(rotating);
    assert.notEqual(report.token?.hash, before);
    assert.equal(report.token?.reveal(), tokenOf(tunnelIn(world.api)));
    const again = await world.start().pass(rotating);
    assert.deepEqual(again.steps, []);
    assert.equal(again.token?.hash, report.token?.hash);
  });

  it('reads the token again when another hand rotated it', async () => {
    const account = world.start();
    const before = await account.pass(life(hosts));
    tunnelIn(world.api).secret = Buffer.alloc(32, 7).toString('base64');
    world.clock.now += 300_001;
    const after = await account.pass(life(hosts));
    assert.notEqual(after.token?.hash, before.token?.hash);
    assert.deepEqual(after.steps, []);
  });

  it('takes away only the records while connectors run, then the connections, then the tunnel', async () => {
    const account = world.start();
    await account.pass(life(hosts));
    connect(world.api.state, tunnelIn(world.api).id, true);
    const first = await account.pass(life(hosts, { gone: 'records' }));
    assert.equal(first.gone, true);
    assert.equal(world.api.state.records.length, 0);
    assert.ok(tunnelIn(world.api));
    // The memory still says that there are no connections, so the first attempt is refused, and the next look counts them.
    const refused = await account.pass(life(hosts, { gone: 'all' }));
    assert.equal(refused.gone, false);
    assert.equal(refused.problems[0]?.reason, 'Busy');
    world.clock.now += 15_000;
    const last = await account.pass(life(hosts, { gone: 'all' }));
    assert.equal(last.gone, true);
    assert.deepEqual(endState(world.api), { tunnels: [], records: [] });
  });

  it('says that nothing is left when the tunnel is gone already', async () => {
    const account = world.start();
    assert.equal((await account.pass(life(hosts, { gone: 'all' }))).gone, true);
    await account.pass(life(hosts));
    tunnelIn(world.api).deletedAt = new Date().toISOString();
    world.clock.now += 300_001;
    const report = await account.pass(life(hosts, { gone: 'all' }));
    assert.equal(report.gone, true);
    assert.deepEqual(endState(world.api), { tunnels: [], records: [] });
  });

  it('points its records to the new tunnel when somebody deleted the old one', async () => {
    const account = world.start();
    await account.pass(life(hosts));
    tunnelIn(world.api).deletedAt = new Date().toISOString();
    for (const start of [() => account, () => world.start()]) {
      world.clock.now += 300_001;
      const report = await start().pass(life(hosts));
      assert.ok(report.hostnames.every(({ state }) => state === 'applied'));
      assert.ok(
        world.api.state.records.every(({ content }) => content === `${tunnelIn(world.api).id}.cfargotunnel.com`),
      );
    }
  });
});

describe('stopped anywhere and started again', () => {
  const lives: [string, (world: World) => Promise<void>, TunnelLife][] = [
    ['a new plane', () => Promise.resolve(), life(hosts)],
    ['changed hostnames', made(hosts), life(['a.example.com', 'd.example.com'])],
    ['a plane that goes', madeAndConnected, life(hosts, { gone: 'all' })],
  ];

  for (const [title, prepare, wanted] of lives) {
    it(`${title}: after each single step, the same end`, async () => {
      const expected = await ended(prepare, async (world) => {
        await world.start().pass(wanted);
        return endState(world.api);
      });
      for (let steps = 0, more = true; more; steps += 1) {
        more = await ended(prepare, async (world) => {
          const dying = world.start();
          const plan = planCloudflare(wanted, await dying.observe(wanted));
          for (const step of plan.steps.slice(0, steps)) await dying.carryOut(wanted, step);
          await world.start().pass(wanted);
          assert.deepEqual(
            endState(world.api),
            expected,
            `after ${plan.steps.slice(0, steps).map(printStep).join(', ')}`,
          );
          return steps < plan.steps.length;
        });
      }
    });

    for (const reset of ['before', 'after'] as const) {
      it(`${title}: with the connection cut ${reset} the effect of each single write, the same end`, async () => {
        const { expected, count } = await ended(prepare, async (world) => {
          await world.start().pass(wanted);
          return { expected: endState(world.api), count: world.api.writes().length };
        });
        assert.ok(count >= 2);
        for (let write = 0; write < count; write += 1) {
          await ended(prepare, async (world) => {
            world.api.faults.add({ method: writes, after: write, times: 1, reset });
            const account = world.start();
            await account.pass(wanted);
            world.clock.now += 60_000;
            await account.pass(wanted);
            assert.deepEqual(endState(world.api), expected, `write ${write}`);
          });
        }
      });
    }
  }
});

function made(hostnames: readonly string[]): (world: World) => Promise<void> {
  return async (world) => {
    byHand(world.api, { name: 'foreign.example.com', type: 'CNAME', content: 'elsewhere.example.net' });
    await world.start().pass(life(hostnames));
  };
}

async function madeAndConnected(world: World): Promise<void> {
  await made(hosts)(world);
  connect(world.api.state, tunnelIn(world.api).id, true);
}

async function ended<T>(prepare: (world: World) => Promise<void>, run: (world: World) => Promise<T>): Promise<T> {
  const world = await startWorld();
  try {
    await prepare(world);
    world.api.forget();
    return await run(world);
  } finally {
    await world.close();
  }
}
