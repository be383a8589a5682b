/**
 * The document as text, made of pieces that can be kept: a changed rule costs one `encodeRule` and one `assembleTable`.
 *
 * The layout is part of the format: each listener, row, rule and backend is one line, a host opens and closes on lines of
 * its own, sections and keys have a fixed order. Reviews read it, and `decodeInSteps` reads it line by line.
 */
import type { HostRows, RoutingTable, TableBackend, TableListener, TableRow, TableRule } from './document.ts';
import { compareHosts, compareIds } from './order.ts';

/** What stands before the sections. */
export type TableHead = Pick<RoutingTable, 'schema' | 'plane'>;

/** Encoded pieces by section, each list already in the order of the document (`compareIds`, hosts by `compareHosts`). */
export interface TablePieces {
  readonly listeners: readonly string[];
  readonly hosts: readonly string[];
  readonly rules: readonly string[];
  readonly backends: readonly string[];
}

/** How each section opens and closes; the reader compares whole lines with these. */
export const sections = {
  listeners: { open: '"listeners":[', close: '],' },
  hosts: { open: '"hosts":[', close: '],' },
  rules: { open: '"rules":{', close: '},' },
  backends: { open: '"backends":{', close: '}' },
} as const;

type DeepKeys<T> = T extends readonly (infer Item)[]
  ? DeepKeys<Item>
  : T extends object
    ? (keyof T & string) | { [K in keyof T]-?: DeepKeys<NonNullable<T[K]>> }[keyof T]
    : never;
type PieceKey = DeepKeys<TableListener | TableRow | TableRule | TableBackend>;

/** Every key of a piece, in the order it is written. A key that is missing here does not compile. */
const keyOrder = {
  id: true,
  gateway: true,
  source: true,
  weight: true,
  backend: true,
  name: true,
  type: true,
  value: true,
  path: true,
  method: true,
  scheme: true,
  protocol: true,
  host: true,
  hostname: true,
  port: true,
  statusCode: true,
  atTunnel: true,
  replaceFullPath: true,
  replacePrefixMatch: true,
  websocket: true,
  set: true,
  add: true,
  remove: true,
  headers: true,
  queryParams: true,
  listeners: true,
  rule: true,
  status: true,
  why: true,
  answer: true,
  filters: true,
  backends: true,
  timeouts: true,
  request: true,
  backendRequest: true,
} satisfies Record<PieceKey, true>;

const rankOf: ReadonlyMap<string, number> = new Map(Object.keys(keyOrder).map((key, rank) => [key, rank]));

/** One line for one listener. */
export function encodeListener(listener: TableListener): string {
  return `  ${line(listener)}`;
}

/** The lines of one host: it opens, one line per row in rank order, it closes. */
export function encodeHost({ host, rows }: HostRows): string {
  return joinHost(host, rows.map(encodeRow));
}

/** One line for one row: a host with thousands of them need not be encoded anew for one. */
export function encodeRow(row: TableRow): string {
  return `    ${line(row)}`;
}

/** `encodeHost` of rows that are already encoded. */
export function joinHost(host: string, rows: readonly string[]): string {
  return `  {"host":${JSON.stringify(host)},"rows":[\n${joined(rows)}  ]}`;
}

/** One line for one rule. */
export function encodeRule(id: string, rule: TableRule): string {
  return `  ${JSON.stringify(id)}:${line(rule)}`;
}

/** One line for one backend. */
export function encodeBackend(id: string, backend: TableBackend): string {
  return `  ${JSON.stringify(id)}:${line(backend)}`;
}

/** The whole text of pieces that are already in order; it only joins strings. */
export function assembleTable(head: TableHead, pieces: TablePieces): string {
  return [
    `{\n"schema":${JSON.stringify(head.schema)},\n"plane":${JSON.stringify(head.plane)}`,
    `,\n${sections.listeners.open}\n`,
    joined(pieces.listeners),
    `${sections.listeners.close}\n${sections.hosts.open}\n`,
    joined(pieces.hosts),
    `${sections.hosts.close}\n${sections.rules.open}\n`,
    joined(pieces.rules),
    `${sections.rules.close}\n${sections.backends.open}\n`,
    joined(pieces.backends),
    `${sections.backends.close}\n}\n`,
  ].join('');
}

/** The whole table by the same pieces, put in order first (rows keep theirs: it is their rank). */
export function encodeTable(table: RoutingTable): string {
  return assembleTable(table, {
    listeners: table.listeners.toSorted((a, b) => compareIds(a.id, b.id)).map(encodeListener),
    hosts: table.hosts.toSorted((a, b) => compareHosts(a.host, b.host)).map(encodeHost),
    rules: entries(table.rules).map(([id, rule]) => encodeRule(id, rule)),
    backends: entries(table.backends).map(([id, backend]) => encodeBackend(id, backend)),
  });
}

function line(piece: TableListener | TableRow | TableRule | TableBackend): string {
  return JSON.stringify(inOrder(piece));
}

/** The value with the keys of every object in order: itself, most often, as rules make their objects in that order. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(inOrder);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  let same = true;
  let last = -1;
  const ordered: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const rank = rankOf.get(key) ?? rankOf.size;
    const kept = inOrder(field);
    same &&= rank > last && kept === field;
    last = rank;
    ordered.push([key, kept]);
  }
  return same ? value : Object.fromEntries(ordered.toSorted(byRank));
}

function byRank([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return (rankOf.get(a) ?? rankOf.size) - (rankOf.get(b) ?? rankOf.size) || compareIds(a, b);
}

function joined(pieces: readonly string[]): string {
  return pieces.length === 0 ? '' : `${pieces.join(',\n')}\n`;
}

function entries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).toSorted(([a], [b]) => compareIds(a, b));
}
