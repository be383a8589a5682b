/**
 * `npm run quickstart`: the main job on docs/examples with nothing but this machine. Renders the manifests of each Gateway, serves them with
 * sample backends, sends requests over real connections and compares every answer with what the manifests say.
 * Exit codes: 0 all as it should be, 1 something differed, 130 interrupted.
 */
import { createCleanup } from './quickstart/cleanup.ts';
import { coloured, say } from './quickstart/screen.ts';
import { story } from './quickstart/story.ts';

const began = performance.now();
const cleanup = createCleanup();
const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort());

try {
  const problems = await story({ examples: 'docs/examples', cleanup, signal: interrupted.signal });
  say();
  for (const problem of problems) say(coloured('red', `✗ ${problem}`));
  if (problems.length > 0) say();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  say(
    problems.length === 0
      ? coloured('green', `Every answer was what the manifests say. ${seconds} s in all.`)
      : coloured('red', `The quickstart failed: ${problems.length} of what it looked at differed from the manifests.`),
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  say();
  const reason = error instanceof Error ? error.message : String(error);
  if (!interrupted.signal.aborted) say(coloured('red', `The quickstart failed: ${reason}`));
  process.exitCode = 1;
} finally {
  await cleanup.run();
  if (interrupted.signal.aborted) process.exitCode = 130;
}
