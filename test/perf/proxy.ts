/** Our proxy as a process: the bundle, started as the image starts it. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Missing } from './error.ts';
import type { Bench } from './part.ts';
import type { Started } from './workshop.ts';

export interface OurProxy extends Started {
  readonly port: number;
  readonly admin: number;
}

const bundle = fileURLToPath(new URL('../../dist/proxy.mjs', import.meta.url));
const flags = ['--max-semi-space-size=8'];

/** Starts it on the measured core with a mounted table, and waits until it is ready. `preload` runs before it in its process. */
export async function startOurs({ workshop, cores }: Bench, table: string, preload?: string): Promise<OurProxy> {
  if (!existsSync(bundle)) throw new Missing('dist/proxy.mjs is not built; build it with: npm run compile');
  const [port, admin] = [await workshop.freePort(), await workshop.freePort()];
  const addresses = [`--listen=127.0.0.1:${port}`, `--admin=127.0.0.1:${admin}`];
  const started = workshop.start(
    process.execPath,
    [...flags, ...(preload === undefined ? [] : ['--import', preload]), bundle, ...addresses, `--table=${table}`],
    { core: cores.measured, talks: preload !== undefined },
  );
  await answering(started, `http://127.0.0.1:${admin}/readyz`);
  return { ...started, port, admin };
}

/** Resolves once the address answers 2xx; rejects if the process ends or ten seconds pass. */
export async function answering({ child, errors }: Started, url: string): Promise<void> {
  for (const end = performance.now() + 10_000; performance.now() < end; await sleep(20)) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return;
  }
  throw new Error(`${child.spawnargs.join(' ')} does not answer ${url}: ${errors()}`);
}
