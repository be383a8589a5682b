/**
 * Just enough of RFC 6455 to know where one frame ends and the next begins, so that a close frame of our own can be put between two
 * frames of a session that is only copied.
 */

const closeOpcode = 0x8;
/** 1001 "going away". */
const goingAway = Buffer.from([0x03, 0xe9]);

/** Follows one direction of a session. */
export interface FrameTracker {
  /** Looks at the next bytes. */
  see(chunk: Buffer): void;
  /** Nothing of an unfinished frame has been seen. */
  readonly isBetweenFrames: boolean;
  /** A close frame has passed. */
  readonly isClosed: boolean;
}

export function createFrameTracker(): FrameTracker {
  /** Bytes of the current frame's head; its full size is known once the second byte is there. */
  const head = Buffer.alloc(14);
  let headLength = 0;
  let payloadLeft = 0;
  let isClosed = false;

  const takeHeadByte = (byte: number): void => {
    head[headLength] = byte;
    headLength += 1;
    if (headLength < 2 || headLength < headSize(head)) return;
    if (((head[0] ?? 0) & 0x0f) === closeOpcode) isClosed = true;
    payloadLeft = payloadSize(head);
    headLength = 0;
  };

  return {
    see(chunk) {
      let index = 0;
      while (index < chunk.length) {
        if (payloadLeft > 0) {
          const taken = Math.min(payloadLeft, chunk.length - index);
          payloadLeft -= taken;
          index += taken;
        } else {
          takeHeadByte(chunk[index] ?? 0);
          index += 1;
        }
      }
    },
    get isBetweenFrames() {
      return headLength === 0 && payloadLeft === 0;
    },
    get isClosed() {
      return isClosed;
    },
  };
}

/** A close frame with status 1001; a client's frames are masked, and a mask of zeros is a mask. */
export function goingAwayFrame(isMasked: boolean): Buffer {
  const head = isMasked ? Buffer.from([0x88, 0x82, 0, 0, 0, 0]) : Buffer.from([0x88, 0x02]);
  return Buffer.concat([head, goingAway]);
}

function headSize(head: Buffer): number {
  const second = head[1] ?? 0;
  const length = second & 0x7f;
  const extended = length === 126 ? 2 : length === 127 ? 8 : 0;
  return 2 + extended + ((second & 0x80) === 0 ? 0 : 4);
}

function payloadSize(head: Buffer): number {
  const length = (head[1] ?? 0) & 0x7f;
  if (length === 126) return head.readUInt16BE(2);
  return length === 127 ? Number(head.readBigUInt64BE(2)) : length;
}
