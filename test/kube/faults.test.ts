import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { knownKind } from '../../src/facts/cluster/kinds.ts';
import { isFailure } from '../../src/facts/cluster/failure.ts';
import { getObject, listObjects } from '../../src/facts/cluster/reads.ts';
import { reflectCluster, type ClusterFacts } from '../../src/facts/cluster/cluster.ts';
import type { ReflectorTimes } from '../../src/facts/cluster/reflector.ts';
import { watched } from '../../src/facts/cluster/watchedkind.ts';
import type { KubeClient } from '../../src/facts/cluster/client.ts';
import { createFactStore, type FactStore } from '../../src/facts/store.ts';
import { createObject } from '../../src/effects/kube/writes.ts';
import { answer, faultyClient, startFaultyServer, type FaultyServer } from './faultyserver.ts';

const kind = knownKind('ConfigMap');
const quick: Partial<ReflectorTimes> = { pauses: { first: 10, most: 50 } };

async function until(check: () => boolean): Promise<void> {
  while (!check()) await sleep(5);
}

describe('an API server with faults', () => {
  let server: FaultyServer;
  let client: KubeClient;
  const running: ClusterFacts[] = [];

  beforeEach(async () => {
    server = await startFaultyServer();
    client = faultyClient(server);
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((facts) => facts.stop()));
    await client.close();
    await server.close();
  });

  function reflected(times: Partial<ReflectorTimes> = {}): { readonly store: FactStore; readonly facts: ClusterFacts } {
    const store = createFactStore();
    const facts = reflectCluster({ client, store, kinds: [watched('ConfigMap')], times: { ...quick, ...times } });
    running.push(facts);
    return { store, facts };
  }

  const valueOf = (store: FactStore, name: string): unknown =>
    (store.get('ConfigMap', `shop/${name}`)?.['data'] as { value?: string } | undefined)?.value;

  /** Watches, does something to the watch, and expects to know of a change and a deletion made in the gap. */
  async function survives(harm: () => void, times: Partial<ReflectorTimes> = {}): Promise<readonly string[]> {
    server.put('kept', '1');
    server.put('lost', '1');
    const { store } = reflected(times);
    await until(() => server.watches() === 1);
    const before = server.asked.length;
    harm();
    server.put('kept', '2');
    server.remove('lost');
    await until(() => valueOf(store, 'kept') === '2' && valueOf(store, 'lost') === undefined);
    await until(() => server.watches() === 1);
    assert.deepEqual(store.knowledge('ConfigMap'), { complete: true });
    return server.asked.slice(before);
  }

  it('takes a watch up where it was reset', async () => {
    assert.deepEqual(await survives(() => server.cut('reset')), ['watch 12']);
  });

  it('takes a watch up where it was ended', async () => {
    assert.deepEqual(await survives(() => server.cut('end')), ['watch 12']);
  });

  it('lists again after an ERROR event, of whatever code', async () => {
    for (const code of [410, 500]) {
      const line = `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code, message: 'too old' } })}\n`;
      const asked = await survives(() => {
        server.say(line);
        server.cut('end');
      });
      assert.deepEqual(
        asked.slice(0, 2).map((each) => each.split(' ')[0]),
        ['list', 'watch'],
      );
      await Promise.all(running.splice(0).map((facts) => facts.stop()));
    }
  });

  it('lists again when the moment to go on from is refused', async () => {
    const asked = await survives(() => {
      answer(server, 410);
      server.cut('end');
    });
    assert.deepEqual(asked, ['watch 12', 'list', 'watch 14']);
  });

  it('does not build on a line that was cut in the middle', async () => {
    const asked = await survives(() => {
      server.say('{"type":"ADDED","object":{"apiVersion":"v1","ki');
      server.cut('reset');
    });
    assert.deepEqual(asked, ['watch 12']);
  });

  it('lists again after a line that is no JSON', async () => {
    assert.deepEqual(await survives(() => server.say('nonsense\n')), ['list', 'watch 14']);
  });

  it('cuts a watch that fell silent, and takes it up', async () => {
    server.put('kept', '1');
    const { store } = reflected({ idle: 1000 });
    await until(() => server.watches() === 1);
    server.faults.push((_, response) => response.writeHead(200).flushHeaders() === undefined);
    server.cut('reset');
    await until(() => server.asked.length === 3);
    server.put('kept', '2');
    server.faults.splice(0);
    await until(() => valueOf(store, 'kept') === '2');
  });

  it('keeps what it knows while the API server fails, and says so once that lasts', async () => {
    server.put('kept', '1');
    const { store, facts } = reflected({ stale: 300 });
    await until(() => server.watches() === 1);
    server.faults.push((_, response) => response.writeHead(503).end() === response);
    server.say(`${JSON.stringify({ type: 'ERROR', object: { code: 410 } })}\n`);
    server.cut('end');
    await until(() => facts.states().get('ConfigMap')?.is === 'failing');
    assert.deepEqual(store.knowledge('ConfigMap'), { complete: true });
    await until(() => !store.knowledge('ConfigMap').complete);
    assert.equal(valueOf(store, 'kept'), '1');
    server.faults.splice(0);
    await until(() => store.knowledge('ConfigMap').complete);
  });

  it('does not take a 404 for the end of a kind that the API server still announces', async () => {
    server.put('kept', '1');
    const { store, facts } = reflected();
    await until(() => server.watches() === 1);
    server.faults.push((request, response) => {
      if (!request.url?.startsWith('/api/v1/configmaps')) {
        response.end(JSON.stringify({ resources: [{ name: 'configmaps' }] }));
        return true;
      }
      return response.writeHead(404).end('{}') === response;
    });
    server.say(`${JSON.stringify({ type: 'ERROR', object: { code: 410 } })}\n`);
    server.cut('end');
    await until(() => facts.states().get('ConfigMap')?.is === 'failing');
    await sleep(200);
    assert.equal(valueOf(store, 'kept'), '1');
  });

  it('writes nothing to the store that is as it was', async () => {
    for (const name of ['a', 'b', 'c']) server.put(name, '1');
    const { store, facts } = reflected();
    await facts.settled;
    const changes: string[] = [];
    store.subscribe(({ key }) => changes.push(key ?? 'knowledge'));
    await until(() => server.watches() === 1);
    server.say(`${JSON.stringify({ type: 'ERROR', object: { code: 410 } })}\n`);
    server.cut('end');
    await until(() => server.asked.filter((each) => each === 'list').length === 2 && server.watches() === 1);
    assert.deepEqual(changes, []);
  });

  it('holds one connection for a watch, after hundreds of rounds too', async () => {
    const { facts } = reflected({ pauses: { first: 1, most: 1 } });
    await facts.settled;
    for (let round = 0; round < 200; round += 1) {
      await until(() => server.watches() === 1);
      server.cut(round % 2 === 0 ? 'reset' : 'end');
    }
    await until(() => server.watches() === 1);
    assert.ok(server.sockets() <= 3, `${server.sockets()} sockets`);
    assert.equal(server.asked.filter((each) => each === 'list').length, 1);
  });

  it('asks less and less often while nobody answers', async () => {
    server.faults.push((request) => request.socket.destroy() !== undefined);
    const { facts } = reflected({ pauses: { first: 50, most: 1000 } });
    await sleep(2000);
    assert.ok(server.asked.length >= 4 && server.asked.length <= 8, `${server.asked.length} attempts`);
    assert.equal(facts.states().get('ConfigMap')?.is, 'failing');
  });

  it('reads all at once when the moment is forgotten between two pages', async () => {
    server.put('a', '1');
    server.faults.push((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      if (searchParams.get('limit') === null) return false;
      if (searchParams.has('continue')) response.writeHead(410).end('{}');
      else response.end(JSON.stringify({ metadata: { resourceVersion: '1', continue: 'more' }, items: [] }));
      return true;
    });
    const { objects } = await listObjects(client, kind);
    assert.equal(objects.length, 1);
    assert.deepEqual(server.asked, ['list', 'list next', 'list']);
  });

  it('reads its credentials again when they are refused', async () => {
    const tokens = ['old', 'new'];
    const renewing = faultyClient(server, () => tokens.shift() ?? 'new');
    const seen: unknown[] = [];
    server.faults.push(({ headers }, response) => {
      seen.push(headers.authorization);
      return headers.authorization === 'Bearer old' && response.writeHead(401).end('{}') === response;
    });
    await listObjects(renewing, kind);
    await listObjects(renewing, kind);
    assert.deepEqual(seen, ['Bearer old', 'Bearer new', 'Bearer new']);
    await renewing.close();
  });

  it('waits as it is told, and sends what was turned away again', async () => {
    answer(server, 429, { times: 2, headers: { 'retry-after': '0' } });
    server.faults.push(
      ({ method }, response) => method === 'POST' && response.writeHead(201).end('{"made":true}') === response,
    );
    const made = await createObject(client, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    assert.deepEqual(made, { made: true });
    answer(server, 429, { headers: { 'retry-after': '100' } });
    await assert.rejects(listObjects(client, kind), (error) => isFailure(error, 'tooMany') && error.retryAfter === 100);
  });

  it('says why a request failed, as it must be told apart', async () => {
    const expected = {
      400: 'terminal',
      403: 'forbidden',
      404: 'notFound',
      409: 'conflict',
      422: 'invalid',
      500: 'transient',
    };
    for (const [code, reason] of Object.entries(expected)) {
      answer(server, Number(code));
      await assert.rejects(getObject(client, kind, { namespace: 'shop', name: 'a' }), {
        name: 'ApiFailure',
        reason,
        code: Number(code),
        message: `get ConfigMap shop/a: fault ${code}`,
      });
    }
    server.faults.push((request) => request.socket.destroy() !== undefined);
    await assert.rejects(getObject(client, kind, { name: 'a' }), { reason: 'transient', code: undefined });
    server.faults.splice(0);
    server.faults.push((_, response) => response.end('<html>') === response);
    await assert.rejects(getObject(client, kind, { name: 'a' }), /is no JSON/);
  });

  it('waits no longer for an answer than it was given, and ends when it is told', async () => {
    server.faults.push(() => true);
    const request = { method: 'GET', path: '/', what: 'ask' } as const;
    await assert.rejects(client.send({ ...request, timeout: 50 }), /ask: no answer from the API server within 0.05 s/);
    const reason = new Error('enough');
    await assert.rejects(client.send({ ...request, signal: AbortSignal.abort(reason) }), reason);
    const stop = new AbortController();
    const waiting = client.send({ ...request, signal: stop.signal });
    stop.abort(reason);
    await assert.rejects(waiting, reason);
  });

  it('counts what it sent', async () => {
    const counting = faultyClient(server);
    await listObjects(counting, kind);
    answer(server, 500);
    await listObjects(counting, kind).catch(() => {});
    server.faults.push((request) => request.socket.destroy() !== undefined);
    await listObjects(counting, kind).catch(() => {});
    const host = new URL(server.url).host;
    assert.deepEqual(
      counting.sent,
      ['200', '500', '<error>'].map((code) => ({ method: 'GET', host, code })),
    );
    await counting.close();
  });
});
