/** DNS: which records to make, mend and take away, and what became of each hostname. Pure. */
import { compareIds } from '../../table/order.ts';
import { normalName, zoneOf } from './hostnames.ts';
import type { DnsRecord, ZoneSeen } from './observed.ts';
import type { Problem } from './problem.ts';
import type { Step } from './step.ts';

/** What is to be said of one hostname's record. */
export interface HostnameState {
  readonly hostname: string;
  /**
   * `applied`: the record is there. `waiting`: it is about to be made. `conflict`: another record has the name; it is left alone. `noZone`: no
   * zone of the account holds the name. `failed`: the API could not be read or refused.
   */
  readonly state: 'applied' | 'waiting' | 'conflict' | 'noZone' | 'failed';
  /** A sentence; empty where the record is there. */
  readonly message: string;
  readonly zone?: string;
  /** What holds the name, where something else does. */
  readonly conflict?: { readonly type: string; readonly content: string; readonly otherTunnel: boolean };
  readonly problem?: Problem;
}

export interface RecordsWanted {
  readonly hostnames: readonly string[];
  readonly zones: readonly ZoneSeen[];
  /** Address of the tunnel; undefined while it is still to be made. */
  readonly address: string | undefined;
  /** Addresses of deleted tunnels of the same name. */
  readonly formerAddresses: readonly string[];
  /** Whether records of ours that nobody wants go. */
  readonly prune: boolean;
}

export interface RecordsPlan {
  /** New and mended ones before those that go: a changed hostname is never without a record. Field case B-75. */
  readonly steps: readonly Step[];
  readonly hostnames: readonly HostnameState[];
}

/** Types of which one excludes a CNAME of the same name. */
const excluding = new Set(['A', 'AAAA', 'CNAME', 'NS']);

export function planRecords(wanted: RecordsWanted): RecordsPlan {
  const places = wanted.hostnames.map((hostname) => place(hostname, wanted));
  const made = places.flatMap(({ step }) => (step === undefined ? [] : [step]));
  return {
    steps: [...made.toSorted((a, b) => compareIds(placeOf(a), placeOf(b))), ...(wanted.prune ? stale(wanted) : [])],
    hostnames: places.map(({ state }) => state),
  };
}

/** Those of one kind and zone stand together, so that they can be made in one call. */
function placeOf(step: Step): string {
  return 'zone' in step ? `${step.kind} ${step.zone.name}` : step.kind;
}

interface Place {
  readonly state: HostnameState;
  readonly step?: Step;
}

function place(hostname: string, wanted: RecordsWanted): Place {
  const zone = zoneOf(hostname, wanted.zones);
  if (zone === undefined) {
    const message = `no zone of the Cloudflare account holds ${hostname}, or the API token may not read it; add the zone, or make the record elsewhere`;
    return { state: { hostname, state: 'noZone', message } };
  }
  const here = { hostname, zone: zone.name };
  if (zone.records.state !== 'present') {
    const problem = zone.records.state === 'unknown' ? zone.records.problem : undefined;
    const message = `the record of ${hostname} is not known: ${problem?.message ?? `zone ${zone.name} was not read`}`;
    return { state: { ...here, state: 'failed', message, ...(problem === undefined ? {} : { problem }) } };
  }
  const name = normalName(hostname);
  const rivals = zone.records.value.filter((record) => record.name === name && excluding.has(record.type));
  return decide(here, { zone, rivals, wanted });
}

interface Found {
  readonly zone: ZoneSeen;
  readonly rivals: readonly DnsRecord[];
  readonly wanted: RecordsWanted;
}

function decide(here: { hostname: string; zone: string }, { zone, rivals, wanted }: Found): Place {
  const plainZone = { id: zone.id, name: zone.name };
  const ours = rivals.find((record) => isOurs(record, wanted));
  const foreign = rivals.find((record) => record !== ours);
  if (ours === undefined && foreign !== undefined) return { state: { ...here, ...conflict(here.hostname, foreign) } };
  if (ours === undefined) {
    const step: Step = { kind: 'createRecord', zone: plainZone, hostname: normalName(here.hostname) };
    return {
      state: { ...here, state: 'waiting', message: `the record of ${here.hostname} is about to be made` },
      step,
    };
  }
  const why = faultOf(ours, wanted.address);
  if (why === undefined) return { state: { ...here, state: 'applied', message: '' } };
  const step: Step = { kind: 'updateRecord', zone: plainZone, record: ours, why };
  return {
    state: { ...here, state: 'waiting', message: `the record of ${here.hostname} is about to be mended` },
    step,
  };
}

/** A CNAME to this plane's tunnel, or to a deleted one that had its name. Nothing else is ours. Source: DESIGN §6. */
export function isOurs(
  record: DnsRecord,
  { address, formerAddresses }: Pick<RecordsWanted, 'address' | 'formerAddresses'>,
): boolean {
  if (record.type !== 'CNAME') return false;
  const content = normalName(record.content);
  return content === address || formerAddresses.includes(content);
}

function faultOf(record: DnsRecord, address: string | undefined): string | undefined {
  if (normalName(record.content) !== address) return 'it points to a tunnel that was deleted';
  return record.proxied ? undefined : 'it is not proxied, and a tunnel is reached through the proxy only';
}

function conflict(
  hostname: string,
  { type, content }: DnsRecord,
): Pick<HostnameState, 'state' | 'message' | 'conflict'> {
  const otherTunnel = type === 'CNAME' && normalName(content).endsWith('.cfargotunnel.com');
  const what = otherTunnel ? `a CNAME to another tunnel (${content})` : `a record of type ${type} (${content})`;
  return {
    state: 'conflict',
    message: `${hostname} already has ${what}, which is not ours and is left alone; remove it, or use another hostname`,
    conflict: { type, content, otherTunnel },
  };
}

/** Records of ours, in zones that could be read, for names that nobody wants any more. */
function stale(wanted: RecordsWanted): Step[] {
  const names = new Set(wanted.hostnames.map(normalName));
  return wanted.zones.flatMap((zone) => {
    if (zone.records.state !== 'present') return [];
    const goes = zone.records.value.filter((record) => isOurs(record, wanted) && !names.has(record.name));
    return goes.map((record): Step => ({ kind: 'deleteRecord', zone: { id: zone.id, name: zone.name }, record }));
  });
}
