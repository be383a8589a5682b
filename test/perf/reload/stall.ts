/**
 * Runs inside the proxy's process (`--import`), before the proxy: watches how long its event loop is away. Asked `{ask}` by its parent it
 * answers with the longest time since the last question, in milliseconds, and begins anew.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 1;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();

process.on('message', () => {
  // The histogram holds the whole distance of two looks, of which one resolution was meant to be.
  process.send?.(Math.max(0, delay.max / 1e6 - resolutionMs));
  delay.reset();
});
// Listening to the parent must not keep the process alive.
process.channel?.unref();
