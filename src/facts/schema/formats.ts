import { isIP, isIPv4, isIPv6 } from 'node:net';

const INT32 = 2 ** 31;

/** A test and what must be, for each format that the schemas use and the API server enforces. */
const formats: Readonly<Record<string, { readonly test: (value: unknown) => boolean; readonly message: string }>> = {
  'date-time': {
    test: (value) => typeof value !== 'string' || isDateTime(value),
    message: 'must be a time such as 2026-01-31T12:00:00Z',
  },
  ipv4: { test: (value) => typeof value !== 'string' || isIPv4(value), message: 'must be an IPv4 address' },
  ipv6: { test: (value) => typeof value !== 'string' || isIPv6(value), message: 'must be an IPv6 address' },
  ip: { test: (value) => typeof value !== 'string' || isIP(value) !== 0, message: 'must be an IP address' },
  byte: { test: (value) => typeof value !== 'string' || isBase64(value), message: 'must be base64' },
  int32: {
    test: (value) => typeof value !== 'number' || (value >= -INT32 && value < INT32),
    message: `must lie between -${INT32} and ${INT32 - 1}`,
  },
};

/** What must be if `value` is not of `format`; undefined if it is, or if the API server does not enforce the format. */
export function formatIssue(format: string, value: unknown): string | undefined {
  const known = formats[format];
  return known === undefined || known.test(value) ? undefined : known.message;
}

/** RFC 3339, and a day that exists. */
function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (parts?.[1] === undefined) return false;
  const day = new Date(`${parts[1]}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(parts[1]);
}

/** Standard alphabet with padding, as encoding/json decodes a []byte; line ends inside are passed over there too. */
function isBase64(text: string): boolean {
  const compact = text.replace(/[\r\n]/g, '');
  return compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact);
}
