import equal from 'fast-deep-equal';

type Fields = Readonly<Record<string, unknown>>;

/** The merge patch that brings `before` to `after`; undefined where they are equal. Lists are replaced whole. Source: RFC 7386. */
export function mergePatchBetween(before: Fields, after: Fields): Fields | undefined {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (after[name] === undefined) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const was = before[name];
    if (value === undefined || equal(was, value)) continue;
    const change = isFields(was) && isFields(value) ? mergePatchBetween(was, value) : value;
    if (change !== undefined) patch[name] = change;
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
