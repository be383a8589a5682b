/**
 * Load at a fixed rate over kept connections, every answer of which is checked: it must come from the backend, by the rule and of a version
 * of the table that were right when it was asked for.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { backendOf } from '../rules/table.ts';
import type { Target } from '../rules/table.ts';

/** What an echoing backend answers: its index, the rule and the version it was told by the proxy. All answers have one length. */
export function echoed(rule: number, version: number, backends: number): string {
  return `b${backendOf(rule, version, backends)} ${String(rule).padStart(5, '0')} v${version % 2}`;
}

const answerLength = echoed(0, 0, 1).length;
const connections = 64;
const tickMs = 1;

export interface RequestLoadOptions {
  readonly port: number;
  readonly perSecond: number;
  readonly targets: readonly Target[];
  readonly backends: number;
}

export interface RequestLoad {
  /** Says that a version is about to be published: from now on answers may be of it. */
  publish(version: number): void;
  /** Resolves with the time (`performance.now`) of the first answer of the newest published version. */
  readonly seen: Promise<number>;
  readonly counts: Counts;
  readonly stop: () => void;
}

export interface Counts {
  answered: number;
  /** Connections that ended, and the requests that were lost with them. */
  lost: number;
  /** Answers that were not the expected ones. */
  misrouted: number;
  /** The first fault, for the report. */
  fault: string;
}

interface Lane {
  readonly socket: Socket;
  asked: Target | undefined;
  /** Newest version seen when the request was sent: an older answer is wrong. */
  since: number;
  received: string;
}

export function startRequests({ port, perSecond, targets, backends }: RequestLoadOptions): RequestLoad {
  const counts: Counts = { answered: 0, lost: 0, misrouted: 0, fault: '' };
  const idle: Lane[] = [];
  let published = 0;
  let newest = 0;
  let seen = Promise.withResolvers<number>();
  seen.resolve(0);
  let isStopped = false;
  const heads = targets.map(({ host, path }) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);

  const judge = (lane: Lane, head: string, body: string): void => {
    const { asked, since } = lane;
    if (asked?.rule === undefined) {
      if (!head.startsWith('HTTP/1.1 404 '))
        fault('misrouted', `${asked?.host}${asked?.path} was answered by a backend`);
      return;
    }
    for (let version = since; version <= published; version += 1) {
      if (body !== echoed(asked.rule, version, backends)) continue;
      if (version > newest) {
        newest = version;
        seen.resolve(performance.now());
      }
      return;
    }
    fault(
      'misrouted',
      `${asked.host}${asked.path}, rule ${asked.rule}, version ${since} to ${published}: ${head} ${body}`,
    );
  };
  const fault = (kind: 'lost' | 'misrouted', what: string): void => {
    counts[kind] += 1;
    if (counts.fault === '') counts.fault = what;
  };
  const take = (lane: Lane, chunk: string): void => {
    lane.received += chunk;
    const end = lane.received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = lane.received.slice(0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? answerLength);
    if (lane.received.length < end + 4 + length) return;
    judge(lane, head, lane.received.slice(end + 4));
    counts.answered += 1;
    lane.asked = undefined;
    lane.received = '';
    idle.push(lane);
  };
  const lanes = Array.from({ length: connections }, () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    const lane: Lane = { socket, asked: undefined, since: 0, received: '' };
    socket.on('connect', () => idle.push(lane));
    socket.on('data', (chunk) => take(lane, chunk.toString()));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!isStopped) fault('lost', `a connection ended while ${lane.asked?.path ?? 'nothing'} was asked for`);
    });
    return lane;
  });

  const begun = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) * perSecond) / 1000;
    // Where no connection is free the request is sent later; the rate is kept up as a whole.
    for (; sent < due; sent += 1) {
      const lane = idle.pop();
      const at = Math.imul(sent, 7919) >>> 0;
      const head = heads[at % heads.length];
      if (lane === undefined || head === undefined) return;
      lane.asked = targets[at % heads.length];
      lane.since = newest;
      lane.socket.write(head, 'latin1');
    }
  }, tickMs);
  return {
    counts,
    publish(version) {
      published = version;
      seen = Promise.withResolvers();
    },
    get seen() {
      return seen.promise;
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
      for (const { socket } of lanes) socket.destroy();
    },
  };
}
