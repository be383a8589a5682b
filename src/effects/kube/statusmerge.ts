/** The status to store: what is claimed, put into what is there. Others' entries and conditions stay as they are. */
import equal from 'fast-deep-equal';
import { conditionTypes, type Condition } from '../../api/conditions.ts';
import { controllerName } from '../../api/names.ts';
import type { StatusClaim } from '../../derive/results.ts';
import type { KubeObject } from '../../facts/object.ts';
import { isOvertakenBy, mergedConditions, type StoredCondition } from './conditionmerge.ts';

export type Status = Readonly<Record<string, unknown>>;

/** `stale`: what is stored was concluded from a later generation of the object than the claim. */
export type MergedStatus =
  | {
      readonly is: 'merged';
      readonly status: Status;
      /** Own entries for which a list had no room. */ readonly dropped: number;
    }
  | { readonly is: 'stale' };

/** Lists whose entries belong to the controller they name, and how many entries they hold. Source: Gateway API, RouteStatus, PolicyStatus. */
const shared: Readonly<Record<string, number>> = { parents: 32, ancestors: 16 };

/** Fields of a status that only we write: one that is not claimed is taken away. Fields that are in neither list stay. */
const owned: Readonly<Record<string, readonly string[]>> = {
  GatewayClass: ['conditions', 'supportedFeatures'],
  Gateway: ['addresses', 'attachedListenerSets', 'conditions', 'listeners'],
  ListenerSet: ['conditions', 'listeners'],
  CloudflareGatewayStatus: ['conditions', 'inventory', 'lastHandledReconcileAt', 'tunnel'],
};

const ownTypes: ReadonlySet<string> = new Set(Object.values(conditionTypes));

/** `now` is RFC 3339, to the second. Pure: the same object in, the same status out. */
export function mergeStatus(given: StatusClaim, object: KubeObject, now: string): MergedStatus {
  // As it will be sent: fields that are undefined are not there.
  const claim = JSON.parse(JSON.stringify(given)) as StatusClaim;
  const stored = (object['status'] ?? {}) as Status;
  const { generation } = object.metadata;
  if (ownConditions(claim, stored).some(([before, claimed]) => isOvertakenBy(before, claimed, generation)))
    return { is: 'stale' };
  const status: Record<string, unknown> = { ...stored };
  let dropped = 0;
  for (const field of owned[claim.kind] ?? []) if (!(field in claim.status)) delete status[field];
  for (const [field, value] of Object.entries(claim.status)) {
    const most = shared[field];
    if (most === undefined) status[field] = mergedField(field, value, stored[field], now);
    else {
      const entries = mergedEntries(value as readonly Entry[], listOf<Entry>(stored[field]), now);
      dropped += Math.max(0, entries.length - most);
      status[field] = entries.slice(0, most);
    }
  }
  return { is: 'merged', status, dropped };
}

/** An entry of `status.parents` or `status.ancestors`. */
interface Entry {
  readonly controllerName: string;
  readonly parentRef?: object;
  readonly ancestorRef?: object;
  readonly conditions?: readonly StoredCondition[];
  /** Claimed only: the entry stays as it is stored. */
  readonly held?: true;
}

/** Others' entries first, as they are: where there is no room for all, it is ours that are left out. */
function mergedEntries(claimed: readonly Entry[], stored: readonly Entry[], now: string): readonly unknown[] {
  const others = stored.filter((entry) => entry.controllerName !== controllerName);
  const own = claimed.flatMap(({ held, ...entry }) => {
    const before = entryOf(stored, entry);
    if (held === true) return before === undefined ? [] : [before];
    const conditions = mergedConditions(entry.conditions ?? [], before?.conditions ?? [], { now });
    // The reference as it is stored, with the defaults of its fields.
    return [{ ...entry, ...before, conditions }];
  });
  return inStoredOrder([...others, ...own], stored);
}

function entryOf(stored: readonly Entry[], entry: Entry): Entry | undefined {
  return stored.find((before) => before.controllerName === controllerName && isSameEntry(before, entry));
}

function isSameEntry(a: Entry, b: Entry): boolean {
  return a.controllerName === b.controllerName && equal(refOf(a), refOf(b));
}

/** A reference to a Gateway may name its group and kind or leave them out. Source: Gateway API, ParentReference defaults. */
function refOf({ parentRef, ancestorRef }: Entry): unknown {
  const ref = { group: 'gateway.networking.k8s.io', kind: 'Gateway', ...(parentRef ?? ancestorRef) };
  return Object.fromEntries(Object.entries(ref).filter(([, value]) => value !== undefined));
}

/** Entries keep their places, new ones come last: an order of ours would be a write whenever somebody else has another. */
function inStoredOrder(entries: readonly Entry[], stored: readonly Entry[]): readonly Entry[] {
  const place = (entry: Entry): number => {
    const at = stored.findIndex((before) => before === entry || isSameEntry(before, entry));
    return at < 0 ? stored.length : at;
  };
  return entries.toSorted((a, b) => place(a) - place(b));
}

function mergedField(field: string, value: unknown, stored: unknown, now: string): unknown {
  if (field === 'conditions') {
    const isOthers = (type: string): boolean => !ownTypes.has(type);
    return mergedConditions(value as readonly Condition[], listOf(stored), { now, isOthers });
  }
  return field === 'listeners' ? mergedListeners(value as readonly Listener[], listOf(stored), now) : value;
}

interface Listener {
  readonly name: string;
  readonly conditions: readonly StoredCondition[];
}

function mergedListeners(claimed: readonly Listener[], stored: readonly Listener[], now: string): readonly Listener[] {
  return claimed.map((listener) => {
    const before = stored.find(({ name }) => name === listener.name);
    return { ...listener, conditions: mergedConditions(listener.conditions, before?.conditions ?? [], { now }) };
  });
}

/** Pairs of (stored, claimed) conditions that are about the same thing. */
function ownConditions(
  { status }: StatusClaim,
  stored: Status,
): readonly (readonly [readonly StoredCondition[], readonly Condition[]])[] {
  const lists = Object.keys(shared).flatMap((field) =>
    listOf<Entry>(status[field]).map(
      (entry) => [entryOf(listOf<Entry>(stored[field]), entry)?.conditions ?? [], entry.conditions ?? []] as const,
    ),
  );
  return [[listOf<StoredCondition>(stored['conditions']), listOf<Condition>(status['conditions'])] as const, ...lists];
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
