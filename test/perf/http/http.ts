/** The data plane beside its peers: requests per second, and processor time per request, of one core. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CheckFailed } from '../error.ts';
import type { Bench, Part, Row } from '../part.ts';
import { answering } from '../proxy.ts';
import { interleaved, openLedger } from '../rounds.ts';
import { rowsOf } from '../spread.ts';
import { tool } from '../tools.ts';
import { cases, checkAnswer } from './cases.ts';
import type { Case } from './cases.ts';
import { buildGoPeer, startContenders } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { cpuTime } from './cputime.ts';
import { backendServer, startNginx } from './nginx.ts';
import { wrk } from './wrk.ts';
import type { Started, Workshop } from '../workshop.ts';

export const http: Part = {
  name: 'http',
  says: 'data plane beside nginx, Go and bare Node',
  ids: cases.flatMap(({ id }) => [id, cpuId(id)]),
  run,
};

async function run(bench: Bench): Promise<readonly Row[]> {
  const { workshop, progress, isQuick, note } = bench;
  const programs = { nginx: tool('nginx', note), wrk: tool('wrk', note), go: tool('go', note) };
  await buildGoPeer(bench, programs.go);
  const backend = await startBackend(workshop, programs.nginx);
  const contenders = await startContenders(bench, programs.nginx, backend.port);
  const turns = cases.flatMap((one) => contenders.map((contender) => ({ one, contender })));
  const measure = measurement(workshop, programs.wrk);

  await interleaved(1, turns, async (turn) => {
    progress(`warming ${turn.one.id} ${turn.contender.name}`);
    await measure(turn, isQuick ? 1 : 3);
  });
  const ledger = openLedger();
  await interleaved(isQuick ? 2 : 5, turns, async (turn, round) => {
    const { one, contender } = turn;
    progress(`${round}: ${one.id} ${contender.name}`);
    const { perSecond, cpu } = await measure(turn, isQuick ? 1 : 4);
    ledger.add(one.id, contender.name, perSecond);
    ledger.add(cpuId(one.id), contender.name, cpu);
  });
  if (backend.errors() !== '') throw new CheckFailed(`the backend complained: ${backend.errors()}`);
  return cases.flatMap(({ id }) => [
    ...rowsOf(id, 'req/s', ledger.of(id), true),
    ...rowsOf(cpuId(id), 'µs', ledger.of(cpuId(id)), false),
  ]);
}

async function startBackend(workshop: Workshop, program: string): Promise<Started & { readonly port: number }> {
  const port = await workshop.freePort();
  const files = join(workshop.folder, 'files');
  mkdirSync(files);
  const started = startNginx({ workshop, program, name: 'backend', servers: backendServer(files, port) });
  await answering(started, `http://127.0.0.1:${port}/1k`);
  return { ...started, port };
}

interface Turn {
  readonly one: Case;
  readonly contender: Contender;
}

interface Measured {
  readonly perSecond: number;
  /** Microseconds of processor time for one request. */
  readonly cpu: number;
}

/** A measurement begins with a look at one whole answer. */
function measurement(workshop: Workshop, program: string): (turn: Turn, seconds: number) => Promise<Measured> {
  return async ({ one, contender: { name, port, pid } }, seconds) => {
    const { path, method, bodyBytes } = one;
    await checkAnswer(name, port, one);
    const before = cpuTime(pid);
    const url = `http://127.0.0.1:${port}${path}`;
    const { perSecond, requests } = await wrk(workshop, program, { url, seconds, method, bodyBytes });
    return { perSecond, cpu: (cpuTime(pid) - before) / requests };
  };
}

function cpuId(id: string): string {
  return `${id}-cpu`;
}
