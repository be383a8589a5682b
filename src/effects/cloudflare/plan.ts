/** From what Cloudflare should hold and what it holds to the steps between, in order. Pure; equal desired and observed give no step. */
import { documentToWrite, sameDocument } from './document.ts';
import { addressOf } from './observed.ts';
import type { CloudflareObserved, Tunnel } from './observed.ts';
import type { Problem } from './problem.ts';
import { planRecords } from './records.ts';
import type { HostnameState, RecordsPlan } from './records.ts';
import type { Step, TunnelLife } from './step.ts';

export interface CloudflarePlan {
  readonly steps: readonly Step[];
  /** One for each desired hostname, in their order. */
  readonly hostnames: readonly HostnameState[];
  /** What could not be known or must not be done. */
  readonly problems: readonly Problem[];
  /** Nothing of the plane is left, and nothing is unknown. Only ever true where the plane is to go. */
  readonly gone: boolean;
}

export function planCloudflare(life: TunnelLife, observed: CloudflareObserved): CloudflarePlan {
  const { tunnel } = observed;
  if (tunnel.state === 'unknown') return nothing(life, [tunnel.problem]);
  if (tunnel.state === 'present' && !tunnel.value.remote) {
    if (life.gone !== undefined) return { ...nothing(life, []), gone: true };
    return nothing(life, [notOurs(tunnel.value)]);
  }
  const live = tunnel.state === 'present' ? tunnel.value : undefined;
  return life.gone === undefined ? toKeep(life, observed, live) : toGo(life.gone, { life, observed, live });
}

function toKeep(life: TunnelLife, observed: CloudflareObserved, live: Tunnel | undefined): CloudflarePlan {
  const records = recordsOf(life, observed, live);
  const steps: Step[] = [];
  if (live === undefined) steps.push({ kind: 'createTunnel', name: life.desired.tunnel.name });
  else if (mustRotate(life, observed)) steps.push({ kind: 'renewSecret', tunnelId: live.id });
  steps.push(...documentSteps(life, observed), ...records.steps);
  return { steps, hostnames: records.hostnames, problems: problemsOf(observed), gone: false };
}

function mustRotate({ rotateFrom }: TunnelLife, { token }: CloudflareObserved): boolean {
  return rotateFrom !== undefined && token.state === 'present' && token.value.hash === rotateFrom;
}

function documentSteps({ desired, incomplete }: TunnelLife, { document }: CloudflareObserved): Step[] {
  if (document.state === 'unknown') return [];
  const observed = document.state === 'present' ? document.value : {};
  const written = Array.isArray(observed.ingress);
  if (sameDocument(desired.document, observed) || (written && incomplete !== undefined)) return [];
  return [{ kind: 'writeDocument', document: documentToWrite(desired.document, observed) }];
}

function recordsOf(life: TunnelLife, observed: CloudflareObserved, live: Tunnel | undefined): RecordsPlan {
  const { records } = life.desired;
  if (records.mode === 'off' || observed.zones.state === 'absent') return { steps: [], hostnames: [] };
  if (observed.zones.state === 'unknown') return { steps: [], hostnames: failed(life, observed.zones.problem) };
  return planRecords({
    hostnames: life.gone === undefined ? records.hostnames : [],
    zones: observed.zones.value,
    address: live === undefined ? undefined : addressOf(live.id),
    formerAddresses: observed.formerIds.map(addressOf),
    prune: life.incomplete === undefined || life.gone !== undefined,
  });
}

interface Going {
  readonly life: TunnelLife;
  readonly observed: CloudflareObserved;
  readonly live: Tunnel | undefined;
}

/** Records first, so that no name leads to a tunnel that is gone; the tunnel only when every record is known to be away. */
function toGo(gone: 'records' | 'all', { life, observed, live }: Going): CloudflarePlan {
  const { steps } = recordsOf(life, observed, live);
  const problems = dnsProblems(observed);
  const blind = problems.length > 0;
  const rest = gone === 'all' && live !== undefined && !blind ? tunnelSteps(live) : [];
  const all = [...steps, ...rest];
  return { steps: all, hostnames: [], problems, gone: all.length === 0 && !blind };
}

function tunnelSteps(live: Tunnel): Step[] {
  const clear: Step = { kind: 'clearConnections', tunnelId: live.id };
  return [...(live.connections > 0 ? [clear] : []), { kind: 'deleteTunnel', tunnelId: live.id }];
}

function nothing(life: TunnelLife, problems: readonly Problem[]): CloudflarePlan {
  const [first] = problems;
  return { steps: [], hostnames: first === undefined ? [] : failed(life, first), problems, gone: false };
}

function failed({ desired, gone }: TunnelLife, problem: Problem): HostnameState[] {
  if (gone !== undefined) return [];
  return desired.records.hostnames.map((hostname) => ({
    hostname,
    state: 'failed',
    message: `the record of ${hostname} is not known: ${problem.message}`,
    problem,
  }));
}

function problemsOf(observed: CloudflareObserved): Problem[] {
  const parts = [observed.token, observed.document];
  return [...parts.flatMap((part) => (part.state === 'unknown' ? [part.problem] : [])), ...dnsProblems(observed)];
}

function dnsProblems({ zones }: CloudflareObserved): Problem[] {
  if (zones.state !== 'present') return zones.state === 'unknown' ? [zones.problem] : [];
  return zones.value.flatMap(({ records }) => (records.state === 'unknown' ? [records.problem] : []));
}

function notOurs({ name, id }: Tunnel): Problem {
  return {
    kind: 'terminal',
    reason: 'NotOurs',
    codes: [],
    message: `the account has a tunnel named ${name} (${id}) that is managed on a machine and not by this controller; rename or delete it, or change clusterName`,
  };
}
