const part = /(\d{1,5})(h|ms|m|s)/g;
const whole = /^(\d{1,5}(h|ms|m|s)){1,4}$/;
const milliseconds: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Milliseconds of a Gateway API duration (`1h30m`, `500ms`); nothing for a text that is none. Source: GEP-2257. */
export function parseDuration(text: string): number | undefined {
  if (!whole.test(text)) return undefined;
  return [...text.matchAll(part)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (milliseconds[unit ?? ''] ?? 0),
    0,
  );
}
