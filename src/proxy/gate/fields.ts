/**
 * One look at the field lines of a request, keeping what the gate and the pipeline need of them.
 * The result is one object that is filled anew by each call: take from it before the next request is looked at.
 */

const kept = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'te',
  'upgrade',
  'expect',
  'content-type',
  'x-forwarded-for',
  'x-forwarded-host',
] as const;

export type KeptField = (typeof kept)[number];

/** Values of one kept field: joined with `, ` when there are several lines. */
interface Slot {
  count: number;
  value: string;
}

const slots = new Map<string, Slot>(kept.map((name) => [name, { count: 0, value: '' }]));
const all = [...slots.values()];
/** Bit n is set if some kept field has a name of n bytes: most names are passed over without being lower-cased. */
const lengths = kept.reduce((mask, name) => mask | (1 << name.length), 0);

/** Fills the slots; returns the bytes of all names and values with their separators. */
export function readFields(raw: readonly string[]): number {
  for (const slot of all) {
    slot.count = 0;
    slot.value = '';
  }
  let bytes = 0;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    bytes += name.length + value.length + 4;
    if (name.length > 31 || ((lengths >> name.length) & 1) === 0) continue;
    const slot = slots.get(name) ?? slots.get(name.toLowerCase());
    if (!slot) continue;
    slot.value = slot.count === 0 ? value : `${slot.value}, ${value}`;
    slot.count += 1;
  }
  return bytes;
}

/** The slot of a kept field, valid until the next `readFields`. */
export function field(name: KeptField): Readonly<Slot> {
  const slot = slots.get(name);
  if (!slot) throw new Error(`${name} is not a kept field`);
  return slot;
}

const slotOf = {
  host: field('host'),
  connection: field('connection'),
  contentLength: field('content-length'),
  transferEncoding: field('transfer-encoding'),
  te: field('te'),
  upgrade: field('upgrade'),
  expect: field('expect'),
  contentType: field('content-type'),
  forwardedFor: field('x-forwarded-for'),
  forwardedHost: field('x-forwarded-host'),
} as const;

/** The slots by name, for direct reading. */
export const fields: Readonly<typeof slotOf> = slotOf;
