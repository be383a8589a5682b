/**
 * Swaps of a table of 10,000 rules while the proxy works at half of its own greatest load: how long until the new table answers, how long
 * the event loop was away, and whether any request, connection or stream came to harm, which fails the benchmark.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { wrk } from '../http/wrk.ts';
import { CheckFailed } from '../error.ts';
import type { Bench, Part, Row } from '../part.ts';
import type { OurProxy } from '../proxy.ts';
import { openLedger } from '../rounds.ts';
import { shapes } from '../rules/table.ts';
import { rowsOf, us } from '../spread.ts';
import { tool } from '../tools.ts';
import { startEchoes, startPlane } from './plane.ts';
import type { Backends, Plane } from './plane.ts';
import { startRequests } from './requests.ts';
import type { RequestLoad } from './requests.ts';
import { openStreams, startStreamBackend } from './streams.ts';
import type { Streams } from './streams.ts';

const idOf = (suffix: string): string => `reload-${suffix}`;
const stallOf = (suffix: string): string => `reload-${suffix}-stall`;

export const reload: Part = {
  name: 'reload',
  says: 'swaps of 10,000 rules at half load, with connections and streams open',
  ids: shapes.flatMap(({ suffix }) => [idOf(suffix), stallOf(suffix)]),
  run,
};

/** A plane under load. */
interface Session {
  readonly suffix: string;
  readonly plane: Plane;
  readonly perSecond: number;
  readonly load: RequestLoad;
  readonly streams: Streams;
  version: number;
}

/** Milliseconds after a swap in which the proxy compiles patterns in the background; they belong to the reload's stall. */
const aftermathMs = 150;
const latestMs = 10_000;

async function run(bench: Bench): Promise<readonly Row[]> {
  const { isQuick, note, progress } = bench;
  const programs = { nginx: tool('nginx', note), wrk: tool('wrk', note) };
  const echoes = await startEchoes(bench, programs.nginx);
  const streamBackend = await startStreamBackend();
  bench.workshop.atEnd(streamBackend.close);
  const ledger = openLedger();
  for (const { suffix, hosts } of shapes) {
    progress(`${idOf(suffix)}: greatest load`);
    const plane = await startPlane(bench, hosts, echoes, streamBackend.backend);
    const session = await openSession({ bench, program: programs.wrk, suffix, plane, echoes });
    const swaps = isQuick ? 10 : suffix === '10k' ? 200 : 50;
    const calm = await calmStall(session);
    for (let swap = 1; swap <= swaps; swap += 1) {
      progress(`${idOf(suffix)} at ${Math.round(session.perSecond)} requests/s: swap ${swap} of ${swaps}`);
      ledger.add(idOf(suffix), us, await swapOnce(session));
      ledger.add(stallOf(suffix), us, await longestStall(plane.proxy));
    }
    note(`${closeSession(session, swaps)}; longest stall of two seconds without a swap ${calm.toFixed(1)} ms`);
    await bench.workshop.stop(plane.proxy);
  }
  return shapes.flatMap(({ suffix }) =>
    [idOf(suffix), stallOf(suffix)].flatMap((id) => rowsOf(id, 'ms', ledger.of(id), false)),
  );
}

interface SessionOptions {
  readonly bench: Bench;
  readonly program: string;
  readonly suffix: string;
  readonly plane: Plane;
  readonly echoes: Backends;
}

/** Finds the proxy's greatest load with the rules' own requests, then keeps half of it up. */
async function openSession({ bench, program, suffix, plane, echoes }: SessionOptions): Promise<Session> {
  const { workshop, isQuick } = bench;
  const { port } = plane.proxy;
  const greatest = { url: `http://127.0.0.1:${port}/`, targets: plane.targetsFile };
  await wrk(workshop, program, { ...greatest, seconds: isQuick ? 1 : 3 });
  const { perSecond } = await wrk(workshop, program, { ...greatest, seconds: isQuick ? 2 : 5 });
  const half = perSecond / 2;
  const streams = await openStreams(port);
  workshop.atEnd(streams.stop);
  const backends = Object.keys(echoes).length;
  const load = startRequests({ port, perSecond: half, targets: plane.targets, backends });
  workshop.atEnd(load.stop);
  await sleep(500);
  return { suffix, plane, perSecond: half, load, streams, version: 0 };
}

/** Milliseconds from the swap of the mounted directory to the first answer by the new table. */
async function swapOnce(session: Session): Promise<number> {
  const { plane, load } = session;
  session.version += 1;
  const files = plane.versions[session.version % 2];
  if (files === undefined) throw new Error('no version');
  await plane.mount.prepare(files);
  load.publish(session.version);
  const begun = performance.now();
  await plane.mount.swap();
  const seen = await Promise.race([load.seen, sleep(latestMs, undefined, { ref: false })]);
  if (seen === undefined) {
    const why = load.counts.fault || plane.proxy.errors();
    throw new CheckFailed(`no answer by the new table within ${latestMs / 1000} s of a swap: ${why}`);
  }
  await sleep(aftermathMs);
  return seen - begun;
}

/** The same without a swap, which tells what the machine itself does to the figure. */
async function calmStall({ plane }: Session): Promise<number> {
  await longestStall(plane.proxy);
  await sleep(2000);
  return longestStall(plane.proxy);
}

/** The longest time the proxy's event loop was away since this was last asked, in milliseconds. */
function longestStall({ child }: OurProxy): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (ms) => resolve(Number(ms)));
    child.send({ ask: 'stall' });
  });
}

/** Ends load and streams and says in a sentence how it went. Throws CheckFailed if anything was lost or led astray. */
function closeSession({ suffix, load, streams, perSecond }: Session, swaps: number): string {
  load.stop();
  streams.stop();
  const { answered, lost, misrouted, fault } = load.counts;
  const faults = [...(fault === '' ? [] : [fault]), ...streams.faults];
  const summary =
    `${idOf(suffix)}: ${swaps} swaps at ${Math.round(perSecond)} requests/s: ${answered} answers, ${lost} lost, ` +
    `${misrouted} misrouted; ${streams.open} streams with ${streams.messages()} messages, ${streams.faults.length} broken`;
  if (faults.length > 0) throw new CheckFailed(`${summary}; first: ${faults[0]}`);
  return summary;
}
