import { view } from '../engine/declare.ts';
import { anyHost, covers } from './hostnames.ts';
import { listeners, type Listener } from './listener.ts';
import { splitPair } from './pairs.ts';
import { planes } from './planes.ts';

/**
 * Listeners that own the host of a bucket, `<plane> <host>`: per Gateway the most specific ones that cover it; ports are not compared. Only
 * routes attached to one of them answer. Seed: "Listener isolation".
 */
export const owners = view('owners', (planeAndHost, read): readonly string[] => {
  const [plane, host] = splitPair(planeAndHost);
  return read(planes, plane).flatMap((gateway) => {
    const covering = read(listeners, gateway).filter(
      ({ accepted, hostname }) => accepted.status === 'True' && covers(hostname, host),
    );
    const most = Math.max(...covering.map(specificity));
    return covering.filter((listener) => specificity(listener) === most).map(({ id }) => id);
  });
});

/** An exact hostname before any wildcard, more labels before fewer, none last. */
function specificity({ hostname }: Listener): number {
  if (hostname === anyHost) return 0;
  return hostname.startsWith('*.') ? hostname.split('.').length : Infinity;
}
