/** One step of a plan at Cloudflare. What was written is remembered as read; what failed is forgotten, for nobody knows how far it came. */
import { createHash } from 'node:crypto';
import type { Account } from './account.ts';
import { noteHolder, tunnelsByName } from './account.ts';
import { addressOf } from './observed.ts';
import type { DnsRecord, IngressDocument, Zone } from './observed.ts';
import { failure } from './problem.ts';
import { isOurs } from './records.ts';
import type { Step, TunnelLife } from './step.ts';

/** Throws a CloudflareFailure when the step could not be done; one that failed a short while ago fails again without a call. */
export function carryOut(account: Account, life: TunnelLife, step: Step): Promise<void> {
  const { name } = life.desired.tunnel;
  return account.patience.attempt(`${name} ${keyOf(step)}`, () => attempt(account, name, step));
}

function attempt(account: Account, name: string, step: Step): Promise<void> {
  switch (step.kind) {
    case 'createTunnel':
      return createTunnel(account, name);
    case 'renewSecret':
      return renewSecret(account, step.tunnelId);
    case 'writeDocument':
      return writeDocument(account, name, step.document);
    case 'createRecord':
      return createRecord(account, name, step);
    case 'updateRecord':
      return updateRecord(account, name, step);
    case 'deleteRecord':
      return deleteRecord(account, name, step);
    case 'clearConnections':
      return clearConnections(account, name, step.tunnelId);
    case 'deleteTunnel':
      return deleteTunnel(account, name, step.tunnelId);
    default:
      return step satisfies never;
  }
}

/** The same key for the same call: what is tried in vain is not tried again at once, but a changed document is. */
function keyOf(step: Step): string {
  switch (step.kind) {
    case 'writeDocument':
      return `${step.kind} ${createHash('sha256').update(JSON.stringify(step.document)).digest('hex')}`;
    case 'createRecord':
      return `${step.kind} ${step.zone.id} ${step.hostname}`;
    case 'updateRecord':
    case 'deleteRecord':
      return `${step.kind} ${step.zone.id} ${step.record.id}`;
    case 'createTunnel':
      return step.kind;
    case 'renewSecret':
    case 'clearConnections':
    case 'deleteTunnel':
      return `${step.kind} ${step.tunnelId}`;
    default:
      return step satisfies never;
  }
}

/** A create whose answer was lost took effect all the same: by then the next look finds the tunnel by its name. */
async function createTunnel({ client, memory }: Account, name: string): Promise<void> {
  const formerIds = memory.tunnels.peek(name)?.formerIds ?? [];
  const live = await orForget(
    () => client.createTunnel(name),
    () => memory.tunnels.forget(name),
  );
  memory.tunnels.set(name, { live, formerIds });
}

async function renewSecret({ client, memory }: Account, id: string): Promise<void> {
  try {
    await client.renewSecret(id);
  } finally {
    memory.tokens.forget(id);
  }
}

async function writeDocument(account: Account, name: string, document: IngressDocument): Promise<void> {
  const { id } = await liveTunnel(account, name);
  const { documents, tunnels } = account.memory;
  await orForget(
    () => account.client.writeDocument(id, document),
    () => {
      documents.forget(id);
      // A document is refused as not found when the tunnel was deleted behind our back.
      tunnels.forget(name);
    },
  );
  documents.set(id, document);
}

interface Named {
  readonly zone: Zone;
  readonly hostname: string;
}

async function createRecord(account: Account, name: string, { zone, hostname }: Named): Promise<void> {
  const { id } = await liveTunnel(account, name);
  const { client, memory } = account;
  const made = await orForget(
    () => client.createRecord(zone, hostname, addressOf(id)),
    () => memory.records.forget(zone.id),
  );
  noteHolder(memory, name, zone.id);
  if (made === undefined) memory.records.forget(zone.id);
  else rewrite(account, zone, (records) => [...records, made]);
}

interface Kept {
  readonly zone: Zone;
  readonly record: DnsRecord;
}

async function updateRecord(account: Account, name: string, { zone, record }: Kept): Promise<void> {
  const { id } = await liveTunnel(account, name);
  const { client, memory } = account;
  await orForget(
    async () => {
      if (!(await stillOurs(account, name, { zone, record }))) return;
      const made = await client.updateRecord(zone, record, addressOf(id));
      rewrite(account, zone, (records) => records.map((one) => (one.id === record.id ? made : one)));
    },
    () => memory.records.forget(zone.id),
  );
}

async function deleteRecord(account: Account, name: string, { zone, record }: Kept): Promise<void> {
  const { client, memory } = account;
  await orForget(
    async () => {
      if (!(await stillOurs(account, name, { zone, record }))) return;
      await client.deleteRecord(zone, record);
      rewrite(account, zone, (records) => records.filter((one) => one.id !== record.id));
    },
    () => memory.records.forget(zone.id),
  );
}

/** The list may be minutes old, and in these minutes somebody may have taken the record for something of his own: then it is let be. */
async function stillOurs(account: Account, name: string, { zone, record }: Kept): Promise<boolean> {
  const now = await account.client.record(zone, record.id);
  const tunnels = await tunnelsByName(account, name);
  const address = tunnels.live === undefined ? undefined : addressOf(tunnels.live.id);
  const ours = now !== undefined && isOurs(now, { address, formerAddresses: tunnels.formerIds.map(addressOf) });
  if (!ours) account.memory.records.forget(zone.id);
  return ours;
}

async function clearConnections({ client, memory }: Account, name: string, id: string): Promise<void> {
  await orForget(
    () => client.clearConnections(id),
    () => memory.tunnels.forget(name),
  );
  const tunnels = memory.tunnels.peek(name);
  if (tunnels?.live !== undefined) memory.tunnels.set(name, { ...tunnels, live: { ...tunnels.live, connections: 0 } });
}

/** Refused while connectors are there: then the next look counts them, and the next plan removes them first. Field case B-83. */
async function deleteTunnel({ client, memory }: Account, name: string, id: string): Promise<void> {
  const formerIds = memory.tunnels.peek(name)?.formerIds ?? [];
  await orForget(
    () => client.deleteTunnel(id),
    () => memory.tunnels.forget(name),
  );
  memory.tunnels.set(name, { live: undefined, formerIds: [...formerIds, id] });
  memory.tokens.forget(id);
  memory.documents.forget(id);
}

/** The tunnel that an earlier step made or found; it is looked up where the memory has ended in between. */
async function liveTunnel(account: Account, name: string): Promise<{ readonly id: string }> {
  const { live } = await tunnelsByName(account, name);
  if (live !== undefined) return live;
  const message = `the tunnel ${name} does not exist yet; this waits until it is created`;
  throw failure({ kind: 'transient', reason: 'Busy', message });
}

/** Changes what is remembered of a zone, if anything is. */
function rewrite(
  { memory }: Account,
  zone: Zone,
  change: (records: readonly DnsRecord[]) => readonly DnsRecord[],
): void {
  const records = memory.records.peek(zone.id);
  if (records !== undefined) memory.records.set(zone.id, change(records));
}

async function orForget<T>(action: () => Promise<T>, forget: () => void): Promise<T> {
  try {
    return await action();
  } catch (error) {
    forget();
    throw error;
  }
}
