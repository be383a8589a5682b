/**
 * An upgraded session: bytes copied both ways until either side ends, fails or falls silent for an hour; there is no half close. On drain it
 * is closed with 1001 between two frames.
 */
import type { Socket } from 'node:net';
import { createFrameTracker, goingAwayFrame } from './wsframes.ts';
import type { FrameTracker } from './wsframes.ts';

export interface WebSocketSession {
  /** Sends both sides a close frame (1001) as soon as each is between frames, and ends the session when they have answered or after `waitMs`. */
  goAway(waitMs: number): void;
  destroy(): void;
}

/** One direction. */
interface Flow {
  readonly from: Socket;
  readonly to: Socket;
  readonly tracker: FrameTracker;
  /** Frames to this side are masked, as it is a server. */
  readonly isMasked: boolean;
  /** Our own close frame is out: nothing may follow it. */
  isShut: boolean;
}

/** Dead peers are found by TCP keep-alive, since an idle session looks like a dead one. */
const keepAliveMs = 30_000;

/** Joins the sockets; `ended` is called once. Bytes already read from either side (`head`s) must have been unshifted before. */
export function joinSockets(client: Socket, backend: Socket, idleMs: number, ended: () => void): WebSocketSession {
  let isOver = false;
  let isGoingAway = false;
  const flows: readonly [Flow, Flow] = [
    { from: backend, to: client, tracker: createFrameTracker(), isMasked: false, isShut: false },
    { from: client, to: backend, tracker: createFrameTracker(), isMasked: true, isShut: false },
  ];
  const end = (finish: (socket: Socket) => void): void => {
    if (isOver) return;
    isOver = true;
    finish(client);
    finish(backend);
    ended();
  };
  const softly = (socket: Socket): void => {
    socket.destroySoon();
  };
  const hardly = (socket: Socket): void => {
    socket.destroy();
  };

  for (const flow of flows) {
    flow.from.setNoDelay(true);
    flow.from.setKeepAlive(true, keepAliveMs);
    flow.from.on('error', () => end(hardly));
    flow.from.on('close', () => end(softly));
    flow.from.on('end', () => end(softly));
    flow.from.setTimeout(idleMs, () => end(hardly));
    flow.to.on('drain', () => flow.from.resume());
    flow.from.on('data', (chunk: Buffer) => {
      if (flow.isShut) {
        flow.tracker.see(chunk);
        return;
      }
      flow.tracker.see(chunk);
      if (!flow.to.write(chunk)) flow.from.pause();
      if (isGoingAway) shut(flow);
    });
    flow.from.resume();
  }

  return {
    goAway(waitMs) {
      if (isOver || isGoingAway) return;
      isGoingAway = true;
      for (const flow of flows) shut(flow);
      setTimeout(() => end(softly), waitMs).unref();
    },
    destroy: () => end(hardly),
  };
}

function shut(flow: Flow): void {
  if (flow.isShut || !flow.tracker.isBetweenFrames) return;
  flow.isShut = true;
  if (!flow.tracker.isClosed && flow.to.writable) flow.to.write(goingAwayFrame(flow.isMasked));
}
