import { domainToASCII } from 'node:url';
import { UsageError } from './exitcodes.ts';

/** A request as it would arrive: the target and field lines byte for byte, as a client sends them. */
export interface AskedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Name, value, name, value; Host first. */
  readonly rawHeaders: readonly string[];
}

const parts = /^(?:https?:\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?/i;
const isToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * `METHOD URL` and header lines. The path is taken as written: a URL library would resolve what the gate must see. A fragment stays
 * with the client. Throws a UsageError for what is no request.
 */
export function askedRequest(method: string, url: string, headers: readonly string[]): AskedRequest {
  if (!isToken.test(method)) throw new UsageError(`${method} is no method; write one as GET`);
  const [, authority = '', path = '', query = ''] = parts.exec(url) ?? [];
  const fields = headers.map(headerField);
  const host = fields.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? sentHost(authority);
  if (host === '') throw new UsageError(`${url} names no host; write it as https://app.example.com/path`);
  const others = fields.filter(([name]) => name.toLowerCase() !== 'host');
  return {
    method,
    target: escaped(`${path === '' ? '/' : path}${query}`),
    rawHeaders: ['Host', host, ...others.flat()],
  };
}

/**
 * `-f a b GET url`: the option takes all words up to the next option, so that it may name many files; the request is then among them.
 * Returns the files and the request's two words, as far as there are any.
 */
export function splitWords(files: readonly string[], request: readonly string[]): SplitWords {
  const method = files.findLastIndex(isMethod);
  if (request.length >= 2 || method < 0) return { files, request };
  const taken = Math.min(2 - request.length, files.length - method);
  return { files: files.toSpliced(method, taken), request: [...files.slice(method, method + taken), ...request] };
}

export interface SplitWords {
  readonly files: readonly string[];
  readonly request: readonly string[];
}

function isMethod(word: string): boolean {
  return /^[A-Z]+$/.test(word);
}

/** An international name as it is sent. */
function sentHost(authority: string): string {
  const [, name = '', port = ''] = /^(.*?)(:\d*)?$/.exec(authority) ?? [];
  return /[^ -~]/.test(name) ? `${domainToASCII(name)}${port}` : authority;
}

/** What may not stand in a target is escaped, as every client does. */
function escaped(target: string): string {
  return target.replace(/[^!-~]|["<>]/gu, (character) => encodeURIComponent(character));
}

function headerField(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  if (!isToken.test(name)) throw new UsageError(`-H "${line}" is no header; write it as "Name: value"`);
  return [name, line.slice(colon + 1).trim()];
}
