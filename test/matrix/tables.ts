/** Short forms of tables and requests, so that a router case reads as one line. */
import type { RoutingTable, TableListener, TableRow, ValueMatch } from '../../src/table/document.ts';
import type { ListenerDoor, MatchRequest } from '../../src/proxy/match/request.ts';

/** Conditions of a row; a value `~pattern` is a regular expression. */
export interface Conditions {
  readonly exact?: string;
  readonly prefix?: string;
  readonly regex?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Listener ids; all listeners of the table if absent. */
  readonly via?: readonly string[];
}

/** Rows by rule id, in rank order, by host. */
export type Hosts = Readonly<Record<string, readonly (readonly [string, Conditions])[]>>;

export interface Request {
  readonly host?: string;
  /** Path and query. */
  readonly target?: string;
  readonly method?: string;
  readonly door?: ListenerDoor | undefined;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
}

const anyListener: TableListener = { id: 'infra/web/any', gateway: 'infra/web', protocol: 'HTTP', port: 80 };

/** `infra/web/wild` with hostname; the Gateway is what stands before the last slash. */
export function listener(id: string, hostname?: string, port = 80): TableListener {
  const gateway = id.slice(0, id.lastIndexOf('/'));
  return { id, gateway, protocol: 'HTTP', port, ...(hostname === undefined ? {} : { hostname }) };
}

export function tableOf(hosts: Hosts, listeners: readonly TableListener[] = [anyListener]): RoutingTable {
  const everyListener = listeners.map(({ id }) => id);
  const rules = Object.values(hosts).flatMap((rows) => rows.map(([rule]) => rule));
  return {
    schema: '1.0',
    plane: 'infra/web',
    listeners,
    hosts: Object.entries(hosts).map(([host, rows]) => ({
      host,
      rows: rows.map(([rule, conditions]) => rowOf(rule, conditions, everyListener)),
    })),
    rules: Object.fromEntries(rules.map((rule) => [rule, { source: `HTTPRoute default/${rule} rule 0` }])),
    backends: {},
  };
}

export function requestOf({
  host = 'app.example.com',
  target = '/',
  method = 'GET',
  door,
  headers = {},
}: Request): MatchRequest {
  const mark = target.indexOf('?');
  return {
    host,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    method,
    door,
    headerValues: (name) => headers[name] ?? [],
  };
}

function rowOf(rule: string, conditions: Conditions, everyListener: readonly string[]): TableRow {
  const { exact, prefix, regex, method, headers, query, via = everyListener } = conditions;
  return {
    path: pathOf(exact, prefix, regex),
    ...(method === undefined ? {} : { method }),
    ...(headers === undefined ? {} : { headers: valuesOf(headers) }),
    ...(query === undefined ? {} : { queryParams: valuesOf(query) }),
    listeners: via,
    rule,
  };
}

function pathOf(exact?: string, prefix = '/', regex?: string): TableRow['path'] {
  if (exact !== undefined) return { type: 'Exact', value: exact };
  return regex === undefined ? { type: 'PathPrefix', value: prefix } : { type: 'RegularExpression', value: regex };
}

function valuesOf(values: Readonly<Record<string, string>>): ValueMatch[] {
  return Object.entries(values).map(([name, value]) =>
    value.startsWith('~') ? { name, type: 'RegularExpression', value: value.slice(1) } : { name, type: 'Exact', value },
  );
}
