import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createFrameTracker, goingAwayFrame } from './wsframes.ts';

function frame(opcode: number, size: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head =
    size < 126
      ? Buffer.from([0x80 | opcode, mask | size])
      : size < 65_536
        ? Buffer.from([0x80 | opcode, mask | 126, size >> 8, size & 0xff])
        : Buffer.concat([
            Buffer.from([0x80 | opcode, mask | 127]),
            Buffer.from(BigInt(size).toString(16).padStart(16, '0'), 'hex'),
          ]);
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), Buffer.alloc(size, 0x88)]);
}

describe('WebSocket frame tracker', () => {
  it('knows the boundaries however the bytes are cut', () => {
    const frames = fc.array(
      fc.tuple(fc.constantFrom(1, 2, 9, 10), fc.constantFrom(0, 1, 125, 126, 127, 1000, 65_535, 65_536), fc.boolean()),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(frames, fc.integer({ min: 1, max: 4096 }), (list, cut) => {
        const bytes = Buffer.concat(list.map(([opcode, size, isMasked]) => frame(opcode, size, isMasked)));
        const tracker = createFrameTracker();
        for (let at = 0; at < bytes.length - 1; at += cut)
          tracker.see(bytes.subarray(at, Math.min(at + cut, bytes.length - 1)));
        const isInside = !tracker.isBetweenFrames;
        tracker.see(bytes.subarray(bytes.length - 1));
        return isInside && tracker.isBetweenFrames && !tracker.isClosed;
      }),
      { numRuns: 60 },
    );
  });

  it('sees a close frame, ours too', () => {
    for (const bytes of [frame(8, 2, false), goingAwayFrame(false), goingAwayFrame(true)]) {
      const tracker = createFrameTracker();
      tracker.see(bytes);
      assert.equal(tracker.isClosed, true);
      assert.equal(tracker.isBetweenFrames, true);
    }
  });
});
