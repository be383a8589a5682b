import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startElection, type Election, type ElectionTimes } from '../../src/effects/kube/election.ts';
import { fenced, type Term } from '../../src/effects/kube/fence.ts';
import type { Lease } from '../../src/effects/kube/lease.ts';
import { createObject, deleteObject, patchObject } from '../../src/effects/kube/writes.ts';
import { isFailure } from '../../src/facts/cluster/failure.ts';
import { knownKind } from '../../src/facts/cluster/kinds.ts';
import { getObject } from '../../src/facts/cluster/reads.ts';
import { startApiServer, type ApiServer } from '../cluster/apiserver.ts';
import { clientOf, manifest, newNamespace, until, type TestClient } from './server.ts';

/** Ten times as fast as in earnest, where a test need not know how long it takes. */
const quick: ElectionTimes = { lease: 2000, renewDeadline: 1000, renewEvery: 200, askEvery: 100 };

interface Candidate extends Election {
  readonly terms: Term[];
  readonly stopped: string[];
}

describe('leader election, with a real API server', () => {
  let server: ApiServer;
  let client: TestClient;
  let namespace: string;
  const standing: Election[] = [];
  const children: ChildProcess[] = [];

  before(async function () {
    this.timeout(120_000);
    server = await startApiServer();
    client = clientOf(server);
    namespace = await newNamespace(server);
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(standing.splice(0).map((election) => election.stop()));
  });

  after(async () => {
    await client.close();
    await server.stop();
  });

  const lease = async (name: string): Promise<Lease> =>
    (await getObject(client, knownKind('Lease'), { namespace, name })) as Lease;

  function stand(name: string, identity: string, times: Partial<ElectionTimes> = quick, using = client): Candidate {
    const terms: Term[] = [];
    const stopped: string[] = [];
    const election = startElection({
      client: using,
      namespace,
      name,
      identity,
      times,
      onStarted: (term) => void terms.push(term),
      onStopped: (why) => void stopped.push(why),
    });
    standing.push(election);
    return { ...election, terms, stopped };
  }

  /** A replica as a process of its own, that can be killed and frozen; resolves with the time of each of its turns. */
  function replica(name: string, identity: string): { readonly child: ChildProcess; readonly turns: string[] } {
    const program = fileURLToPath(new URL('candidate.ts', import.meta.url));
    const child = spawn(process.execPath, [program, server.kubeconfig, namespace, name, identity], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const turns: string[] = [];
    createInterface(child.stdout).on('line', (line) => turns.push(line));
    return { child, turns };
  }

  it('makes one leader of several, with times the API server takes', async () => {
    const all = ['a', 'b', 'c'].map((identity) => stand('one', identity));
    await until(() => all.some((candidate) => candidate.isLeading()));
    await sleep(quick.lease);
    assert.equal(all.filter((candidate) => candidate.isLeading()).length, 1);
    assert.equal(all.flatMap(({ terms }) => terms).length, 1);
    const { spec } = await lease('one');
    assert.match(spec.renewTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(spec.leaseTransitions, 0);
  });

  it('gives the Lease back when it stops, and is followed', async () => {
    const first = stand('clean', 'first');
    await until(() => first.isLeading());
    const second = stand('clean', 'second');
    await sleep(300);
    await first.stop();
    assert.deepEqual(first.stopped, ['this replica is stopped']);
    assert.ok(!first.isLeading() && first.terms[0]?.signal.aborted === true);
    const began = performance.now();
    await until(() => second.isLeading());
    assert.ok(performance.now() - began < quick.lease / 2, 'it did not wait for the Lease to run out');
    assert.equal((await lease('clean')).spec.leaseTransitions, 1);
  });

  it('stops in time when it cannot renew, before another begins, and sends nothing after', async () => {
    const cut = clientOf(server);
    let isCut = false;
    const wire: TestClient = {
      ...cut,
      send: (request) => (isCut ? Promise.reject(new Error('cut')) : cut.send(request)),
    };
    const first = stand('cut', 'first', quick, wire);
    await until(() => first.isLeading());
    const second = stand('cut', 'second');
    const [term] = first.terms;
    assert.ok(term);
    const writer = fenced(client, term);
    await createObject(writer, manifest('ConfigMap', namespace, 'while-leading'));
    isCut = true;
    await until(() => {
      assert.ok(!(first.isLeading() && second.isLeading()), 'two lead');
      return first.stopped.length > 0;
    });
    assert.deepEqual(first.stopped, ['the Lease could not be renewed in time']);
    await assert.rejects(createObject(writer, manifest('ConfigMap', namespace, 'after')), (error) =>
      isFailure(error, 'notLeading'),
    );
    await until(() => second.isLeading());
    isCut = false;
    await sleep(quick.lease);
    assert.ok(second.isLeading() && !first.isLeading());
    await cut.close();
  });

  it('steps down when somebody else is named, or the Lease is deleted, and comes back', async () => {
    const only = stand('taken', 'only');
    await until(() => only.isLeading());
    for (let tries = 0; only.stopped.length === 0; tries += 1) {
      const now = await lease('taken');
      await patchObject(client, now, { spec: { holderIdentity: 'somebody' } }).catch(() => {});
      await sleep(50);
      assert.ok(tries < 100);
    }
    assert.deepEqual(only.stopped, ['somebody holds the Lease']);
    await until(() => only.terms.length === 2);
    await server.kubectl(['-n', namespace, 'annotate', 'lease', 'taken', 'a=b']);
    await sleep(quick.renewDeadline);
    assert.equal(only.terms.length, 2, 'an annotation ends no term');
    await deleteObject(client, await lease('taken'));
    await until(() => only.terms.length === 3);
    assert.equal(only.stopped[1], 'the Lease was taken away');
  });

  it('never has two leaders while the API server freezes', async () => {
    const both = [stand('frozen', 'a'), stand('frozen', 'b')];
    await until(() => both.some((candidate) => candidate.isLeading()));
    server.pause();
    await until(() => both.every((candidate) => !candidate.isLeading()));
    server.resume();
    await until(() => {
      assert.ok(!both.every((candidate) => candidate.isLeading()), 'two lead');
      return both.some((candidate) => candidate.isLeading());
    });
  }).timeout(30_000);

  it('follows a leader that is killed within seventeen seconds', async () => {
    const first = replica('killed', 'first');
    await until(() => first.turns.length > 0);
    const second = replica('killed', 'second');
    await sleep(3000);
    const began = performance.now();
    first.child.kill('SIGKILL');
    await until(() => second.turns.length > 0);
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds <= 17, `it took ${seconds} s`);
    assert.ok(seconds >= 10, `it took only ${seconds} s, while the first could still have been leading`);
  }).timeout(40_000);

  it('follows a leader that is stopped within two seconds', async () => {
    const first = replica('stopped', 'first');
    await until(() => first.turns.length > 0);
    const second = replica('stopped', 'second');
    await sleep(3000);
    const began = performance.now();
    first.child.kill('SIGTERM');
    await until(() => second.turns.length > 0);
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds <= 2, `it took ${seconds} s`);
    if (first.child.exitCode === null) await once(first.child, 'exit');
    assert.equal(first.child.exitCode, 0);
  }).timeout(30_000);

  it('does not act on a term that passed while the process was frozen', async () => {
    const first = replica('asleep', 'first');
    await until(() => first.turns.length > 0);
    first.child.kill('SIGSTOP');
    const second = stand('asleep', 'second', { askEvery: 100 });
    await until(() => second.isLeading());
    first.child.kill('SIGCONT');
    await until(() => first.turns.length > 1);
    assert.match(first.turns[1] ?? '', /^stopped, valid: false/);
    assert.ok(second.isLeading());
  }).timeout(40_000);
});
