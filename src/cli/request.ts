import type { MatchRequest } from '../proxy/match/request.ts';
import { normalPath } from '../table/path.ts';
import { UsageError } from './exitcodes.ts';

/** A request as a person writes it, made what the gate makes of one; `refused` where the gate answers 400. */
export type AskedRequest =
  | { readonly request: MatchRequest; readonly refused?: never }
  | { readonly refused: string; readonly request?: never };

const parts = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/i;

/**
 * `METHOD URL` and header lines. The path is taken as written: a URL library would resolve what the gate must see.
 * Throws a UsageError for what is no request.
 */
export function askedRequest(method: string, url: string, headers: readonly string[]): AskedRequest {
  if (!/^[A-Z]+$/.test(method)) throw new UsageError(`${method} is no method; methods are written in capitals, as GET`);
  const [, authority = '', written = '', query = ''] = parts.exec(url) ?? [];
  const fields = headers.map(headerField);
  const named = fields.find(([name]) => name === 'host')?.[1] ?? authority;
  const host = hostOf(named);
  if (host === '') throw new UsageError(`${url} names no host; write it as https://app.example.com/path`);
  const { path, refused } = normalPath(written === '' ? '/' : written);
  if (path === undefined) return { refused };
  return {
    request: {
      host,
      path,
      query,
      method,
      headerValues: (name) => fields.filter(([field]) => field === name).map(([, value]) => value),
    },
  };
}

/** Lower case and without port, as hosts are matched. */
function hostOf(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function headerField(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new UsageError(`-H "${line}" is no header; write it as "Name: value"`);
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}
