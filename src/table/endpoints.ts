/** Text of the endpoints document, one backend a line, and back. */
import { valid } from './collect.ts';
import { checkVersion } from './compatible.ts';
import type { EndpointsDocument } from './document.ts';
import { TableError } from './error.ts';
import { compareIds } from './order.ts';
import * as validate from './validate.generated.mjs';

/** Backends sorted; the addresses of each keep their order. */
export function encodeEndpoints({ schema, backends }: EndpointsDocument): string {
  const lines = Object.entries(backends)
    .toSorted(([a], [b]) => compareIds(a, b))
    .map(([id, addresses]) => `  ${JSON.stringify(id)}:${JSON.stringify(addresses)}`);
  const body = lines.length === 0 ? '' : `${lines.join(',\n')}\n`;
  return `{\n"schema":${JSON.stringify(schema)},\n"backends":{\n${body}}\n}\n`;
}

/** Throws TableError for a text that is no endpoints document of this major version. */
export function decodeEndpoints(text: string): EndpointsDocument {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new TableError(`The endpoints are not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const endpoints = valid(validate.endpoints, document, () => 'endpoints');
  checkVersion(endpoints.schema);
  return endpoints;
}
