import assert from 'node:assert/strict';
import { checkPatterns, compile } from '../../src/proxy/match/compile.ts';
import { linearMatcher } from '../../src/proxy/match/linear.ts';
import type { MatchRequest } from '../../src/proxy/match/request.ts';
import type { RoutingTable, TableRow } from '../../src/table/document.ts';

/** The matcher of the proxy takes the whole table, and answers a request made from each row as the reference does. */
export function checkByMatcher(table: RoutingTable): void {
  const compiled = compile(table);
  for (const step of checkPatterns(compiled)) assert.equal(step, undefined);
  assert.deepEqual(compiled.skipped, [], 'the matcher skips rows');
  const reference = linearMatcher(table);
  for (const { host, rows } of table.hosts)
    for (const row of rows) {
      const request = requestFor(host, row);
      assert.deepEqual(compiled.match(request), reference.match(request));
    }
}

function requestFor(host: string, { path, method, headers = [], queryParams = [] }: TableRow): MatchRequest {
  const query = queryParams.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return {
    host: host.replace('*', host === '*' ? 'other.test' : 'x'),
    path: path.value,
    method: method ?? 'GET',
    headerValues: (name) => headers.filter((header) => header.name === name).map(({ value }) => value),
    query: query.join('&'),
  };
}
