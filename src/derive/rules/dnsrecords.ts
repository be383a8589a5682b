import type { HostnameRecord } from '../../facts/cloudflarestate.ts';
import { view, type Read } from '../engine/declare.ts';
import { cloudflareRecords } from './dataplane.ts';
import { hostRecord } from './hostrecord.ts';
import { splitPair } from './pairs.ts';
import { notYet, yes, type Verdict } from './verdict.ts';

/** Why a host gets no record, where DNS is managed for some zones only: `<plane> <host>`. */
const skippedHost = view('skippedHost', (planeAndHost, read): string | undefined => {
  const [plane, host] = splitPair(planeAndHost);
  return read(cloudflareRecords.emit, plane).records.skipped.find(({ hostname }) => hostname === host)?.why;
});

const dnsMode = view('dnsMode', (plane, read) => read(cloudflareRecords.emit, plane).records.mode);

/**
 * The condition DNSRecordsApplied of a route on a plane; none where DNS is off. Source: gateway parameters, "Conditions of this
 * system"; seed: "DNS records applied".
 */
export function dnsRecordsApplied(plane: string, hosts: readonly string[], read: Read): Verdict | undefined {
  const mode = read(dnsMode, plane);
  if (mode === 'off') return undefined;
  const named = hosts.filter((host) => host !== '*').toSorted();
  const skipped = named.filter((host) => read(skippedHost, `${plane} ${host}`) !== undefined);
  const wanted = named.filter((host) => !skipped.includes(host));
  const problems = wanted.flatMap((host) => lacking(host, read(hostRecord, `${plane} ${host}`)));
  if (problems.length > 0) return notYet('ProgressingWithRetry', problems.join('; '));
  const applied = `Applied hostnames: ${wanted.length === 0 ? 'none' : wanted.join(', ')}`;
  const left = skipped.length === 0 ? '' : `\nSkipped hostnames: ${skipped.join(', ')}`;
  return yes('ReconciliationSucceeded', `${applied}${left}`);
}

function lacking(host: string, record: HostnameRecord | undefined): string[] {
  if (record === undefined || record.state === 'waiting') return [`the record of ${host} is not made yet`];
  return record.state === 'applied' ? [] : [record.message];
}
