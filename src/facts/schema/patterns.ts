import { RE2JS } from 're2js';

interface Matcher {
  readonly test: (text: string) => boolean;
}

const cache = new Map<string, Matcher>();

/** A repeated group that ends in a repetition: JavaScript's engine may need exponential time for it, RE2 never does. */
const risky = /[*+][^()]*\)[*+]/;

/** What RE2 and JavaScript read differently, or only one of them knows. */
const dialect = /\(\?(?!:)|\\[pPQEzZAC]|\[\[:|\{,/;

/**
 * The compiled form of `pattern`, in RE2's syntax and with RE2's meaning, as the API server has it; it is compiled once.
 * `test` says whether it is found anywhere in a text, in time linear in the text or nearly so.
 * Throws if the pattern is no RE2 expression.
 */
export function compilePattern(pattern: string): Matcher {
  let matcher = cache.get(pattern);
  if (matcher === undefined) {
    matcher = compile(pattern);
    cache.set(pattern, matcher);
  }
  return matcher;
}

function compile(pattern: string): Matcher {
  if (!risky.test(pattern) && !dialect.test(pattern)) return new RegExp(pattern);
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find() };
}

const HOSTNAME = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';

const DECIMAL = '(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))';
const QUANTITY = `^(\\+|-)?${DECIMAL}(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?${DECIMAL}))?$`;

/** What a pattern asks for, in words, where we know them. */
const words: Readonly<Record<string, string>> = {
  [`^${HOSTNAME}$`]: 'must be a DNS name in lower case (letters, digits, - and .)',
  [`^$|^${HOSTNAME}$`]: 'must be empty or a DNS name in lower case (letters, digits, - and .)',
  [`^(\\*\\.)?${HOSTNAME}$`]: "must be a DNS name in lower case, without port, which may begin with '*.'",
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$':
    'must consist of lower-case letters, digits and -, and begin and end with a letter or digit',
  '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$': 'must consist of letters, digits and -, and begin with a letter',
  '^([0-9]{1,5}(h|m|s|ms)){1,4}$': "must be a duration such as '10s', '1m30s' or '500ms'",
  '^[!-~]+([\\t ]?[!-~]+)*$': 'must be visible ASCII characters with single spaces between them',
  "^[A-Za-z0-9!#$%&'*+\\-.^_\\x60|~]+$": "must consist of letters, digits and !#$%&'*+-.^_`|~ only",
  '^(/([^/~]|~[01])*)*$': 'must be a JSON pointer, such as /spec/template/spec',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$': 'must be a UUID in lower case',
  '^[A-Za-z0-9._:\\[\\]-]+$':
    'must be a DNS name, an IPv4 address or an IPv6 address in brackets, without scheme and path',
  [QUANTITY]: 'must be a quantity, such as 500m, 0.5 or 128Mi',
  '^/': "must start with '/'",
  '^\\S+( +\\S+){4}$': "must be a cron expression of five fields, such as '0 3 * * 1'",
};

/** A clause that says what `pattern` asks for. */
export function patternText(pattern: string): string {
  return words[pattern] ?? `must match ${pattern}`;
}
