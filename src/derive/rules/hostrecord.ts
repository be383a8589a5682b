import type { HostnameRecord } from '../../facts/cloudflarestate.ts';
import { view, type Read } from '../engine/declare.ts';
import type { Attachment } from './attachment.ts';
import { cloudflareStates } from './collections.ts';
import { splitPair } from './pairs.ts';
import { no, type Verdict } from './verdict.ts';

/** What became of the record of one host of a plane, `<plane> <host>`: kept apart so that one host's record concerns only its routes. */
export const hostRecord = view('hostRecord', (planeAndHost, read): HostnameRecord | undefined => {
  const [plane, host] = splitPair(planeAndHost);
  return read(cloudflareStates, plane).when<HostnameRecord | undefined>({
    present: ({ spec }) => spec.hostnames.find(({ hostname }) => hostname === host),
    absent: () => undefined,
    unknown: () => undefined,
  });
});

/** Gateway parameters: a hostname whose record points at another Gateway's tunnel is that one's; the record is left alone. */
export function takenHost({ plane, bindings }: Attachment, read: Read): Verdict | undefined {
  const taken = hostsOf(bindings)
    .map((host) => read(hostRecord, `${plane ?? ''} ${host}`))
    .find((record) => record?.otherTunnel === true);
  return taken === undefined ? undefined : no('UnsupportedValue', taken.message);
}

/** The hosts a route answers through its listeners, each once. */
export function hostsOf(bindings: Attachment['bindings']): readonly string[] {
  return [...new Set(bindings.flatMap(({ hosts }) => hosts))];
}
