import assert from 'node:assert/strict';
import { doorPorts } from './ports.ts';

describe('the port of a door', () => {
  it('is the listener port plus 10,000, whatever else there is', () => {
    assert.deepEqual(
      [...doorPorts([443, 80, 443])],
      [
        [80, 10_080],
        [443, 10_443],
      ],
    );
    assert.equal(doorPorts([55_535]).get(55_535), 65_535);
  });

  it('goes down for listener ports at the top, past what is held', () => {
    assert.equal(doorPorts([65_535]).get(65_535), 15_535);
    assert.equal(doorPorts([5535, 65_535]).get(65_535), 15_534);
    assert.deepEqual([...doorPorts([58_080, 58_081]).values()], [8079, 8078]);
    assert.equal(doorPorts([52_000]).get(52_000), 62_000);
  });

  it('is unprivileged, and another one for each listener port', () => {
    const all = doorPorts(Array.from({ length: 55_000 }, (_, index) => index + 10_536));
    assert.equal(new Set(all.values()).size, 55_000);
    assert.ok(Math.min(...all.values()) >= 1024);
  });
});
