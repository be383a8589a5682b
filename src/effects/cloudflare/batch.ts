/**
 * Many records of one zone in one call: a Gateway with 500 hostnames would otherwise use up half of what a token may do in five minutes.
 * A batch is carried out as a whole or not at all. Source: field case B-79.
 */
import { createHash } from 'node:crypto';
import type { Account } from './account.ts';
import { noteHolder, tunnelsByName } from './account.ts';
import { addressOf } from './observed.ts';
import type { Zone } from './observed.ts';
import type { Reason } from './problem.ts';
import { isOurs } from './records.ts';
import type { Step, TunnelLife } from './step.ts';

export type RecordStep = Extract<Step, { readonly kind: 'createRecord' | 'deleteRecord' }>;

/** Below it a call for each is as good, and says more exactly what failed. */
const leastForBatch = 4;
/** A zone of the free plan takes 200. */
const mostInBatch = 100;

/** The steps in their order, those together that may be one call: of one kind, in one zone, next to each other. */
export function groupsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const first = last?.[0];
    if (last !== undefined && first !== undefined && last.length < mostInBatch && alike(first, step)) last.push(step);
    else groups.push([step]);
  }
  return groups.flatMap((group) => (group.length < leastForBatch ? group.map((step) => [step]) : [group]));
}

function alike(a: Step, b: Step): boolean {
  return isRecordStep(a) && isRecordStep(b) && a.kind === b.kind && a.zone.id === b.zone.id;
}

export function isRecordStep(step: Step): step is RecordStep {
  return step.kind === 'createRecord' || step.kind === 'deleteRecord';
}

/** Of a batch refused for one of these, the single steps are worth trying: only one of them need be the culprit. */
export const refusedForOne: ReadonlySet<Reason> = new Set<Reason>(['Invalid', 'Occupied', 'NotFound']);

/** A group from `groupsOf` in one call. Throws a CloudflareFailure: then none of it was done, or nobody knows. */
export async function carryOutTogether(
  account: Account,
  life: TunnelLife,
  steps: readonly RecordStep[],
): Promise<void> {
  const [first] = steps;
  if (first === undefined) return;
  const { name } = life.desired.tunnel;
  await account.patience.attempt(`${name} ${first.kind} ${first.zone.id} ${contentOf(steps)}`, async () => {
    try {
      await (first.kind === 'createRecord'
        ? createTogether(account, name, { zone: first.zone, hostnames: hostnamesOf(steps) })
        : deleteTogether(account, name, { zone: first.zone, ids: idsOf(steps) }));
    } catch (error) {
      account.memory.records.forget(first.zone.id);
      throw error;
    }
  });
}

function contentOf(steps: readonly RecordStep[]): string {
  return createHash('sha256')
    .update([...hostnamesOf(steps), ...idsOf(steps)].join(' '))
    .digest('hex');
}

function hostnamesOf(steps: readonly RecordStep[]): string[] {
  return steps.flatMap((step) => (step.kind === 'createRecord' ? [step.hostname] : []));
}

function idsOf(steps: readonly RecordStep[]): string[] {
  return steps.flatMap((step) => (step.kind === 'deleteRecord' ? [step.record.id] : []));
}

async function createTogether(
  account: Account,
  name: string,
  { zone, hostnames }: { readonly zone: Zone; readonly hostnames: readonly string[] },
): Promise<void> {
  const { live } = await tunnelsByName(account, name);
  const { client, memory } = account;
  if (live === undefined) return;
  const made = await client.createRecords(zone, hostnames, addressOf(live.id));
  noteHolder(memory, name, zone.id);
  const records = memory.records.peek(zone.id);
  if (records !== undefined) memory.records.set(zone.id, [...records, ...made]);
}

/** The zone is read once more: only what is still ours goes. */
async function deleteTogether(
  account: Account,
  name: string,
  { zone, ids }: { readonly zone: Zone; readonly ids: readonly string[] },
): Promise<void> {
  const { client, memory } = account;
  const { live, formerIds } = await tunnelsByName(account, name);
  const ownership = {
    address: live === undefined ? undefined : addressOf(live.id),
    formerAddresses: formerIds.map(addressOf),
  };
  const records = await client.records(zone);
  const going = records.filter((record) => ids.includes(record.id) && isOurs(record, ownership));
  if (going.length > 0) await client.deleteRecords(zone, going);
  memory.records.set(
    zone.id,
    records.filter((record) => !going.includes(record)),
  );
}
