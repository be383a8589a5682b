/** The tunnel's ingress document: what counts as equal, and what a write keeps of what it replaces. */
import equal from 'fast-deep-equal';
import type { IngressDocument } from './observed.ts';

/** Private networks on the same tunnel are not ours to switch off; everything else in the document decides about our traffic. */
const kept = 'warp-routing';

/** Equal but for empty members, which the API adds to what it was given. */
export function sameDocument(desired: IngressDocument, observed: IngressDocument): boolean {
  return equal(normal(without(kept, desired)), normal(without(kept, observed)));
}

/** What to write so that `desired` holds: the endpoint replaces the document as a whole. */
export function documentToWrite(desired: IngressDocument, observed: IngressDocument): IngressDocument {
  return kept in observed ? { ...desired, [kept]: observed[kept] } : desired;
}

function without(name: string, document: IngressDocument): IngressDocument {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key !== name));
}

/** Without null, undefined, '' and objects that have nothing in them. A list keeps its length: its order is the order of the rules. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => normal(item) ?? {});
  if (typeof value !== 'object' || value === null) return value === null || value === '' ? undefined : value;
  const members = Object.entries(value)
    .map(([key, member]): [string, unknown] => [key, normal(member)])
    .filter(([, member]) => member !== undefined);
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
