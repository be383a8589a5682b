/** Builds a checked table from the pieces of a document, one at a time. */
import { checkVersion, servableRule } from './compatible.ts';
import type { RoutingTable, TableBackend, TableListener, TableRow, TableRule, WeightedBackend } from './document.ts';
import { TableError } from './error.ts';
import type { PieceSink } from './lines.ts';
import * as validate from './validate.generated.mjs';

/** Rows or rules that are checked between two pauses. */
const stepSize = 2000;

/** Takes the pieces of one document and gives the table out once all of them came. Throws TableError at the first fault. */
export interface TableCollector extends PieceSink {
  /** Checks what one piece says of another (a row of its rule, a rule of its backends), in steps. */
  finish(): Generator<void, RoutingTable>;
}

type Bucket = { readonly host: string; readonly rows: TableRow[] };
type Collected = {
  head: Pick<RoutingTable, 'schema' | 'plane'>;
  readonly listeners: TableListener[];
  readonly hosts: Bucket[];
  readonly rules: Map<string, TableRule>;
  readonly backends: Map<string, TableBackend>;
};

/** A collector for one document. */
export function collectTable(): TableCollector {
  const found: Collected = {
    head: { schema: '', plane: '' },
    listeners: [],
    hosts: [],
    rules: new Map(),
    backends: new Map(),
  };
  return {
    head(head) {
      found.head = valid(validate.head, head, () => '');
      checkVersion(found.head.schema);
    },
    listener(listener) {
      found.listeners.push(valid(validate.listener, listener, () => `listeners[${found.listeners.length}]`));
    },
    host(host) {
      const { host: name } = valid(validate.bucket, host, () => `hosts[${found.hosts.length}]`);
      found.hosts.push({ host: name, rows: [] });
    },
    row(row) {
      const bucket = found.hosts.at(-1);
      bucket?.rows.push(valid(validate.row, row, () => `hosts[${found.hosts.length - 1}].rows[${bucket.rows.length}]`));
    },
    rule(id, rule) {
      found.rules.set(
        id,
        valid(validate.rule, servableRule(rule), () => `rules["${id}"]`),
      );
    },
    backend(id, backend) {
      found.backends.set(
        id,
        valid(validate.backend, backend, () => `backends["${id}"]`),
      );
    },
    finish: () => finish(found),
  };
}

function* finish({ head, listeners, hosts, rules, backends }: Collected): Generator<void, RoutingTable> {
  const listenerIds = unique(listeners, ({ id }) => id, 'listeners');
  unique(hosts, ({ host }) => host, 'hosts');
  let checked = 0;
  for (const [index, { rows }] of hosts.entries()) {
    for (const [rank, row] of rows.entries()) {
      checkRow(row, `hosts[${index}].rows[${rank}]`, { rules, listenerIds });
      if (++checked % stepSize === 0) yield;
    }
  }
  for (const [id, rule] of rules) {
    for (const [index, share] of (rule.backends ?? []).entries()) {
      checkShare(share, `rules["${id}"].backends[${index}]`, backends);
    }
    if (++checked % stepSize === 0) yield;
  }
  // Entries and not assignments: an id such as __proto__ must stay an id.
  return { ...head, listeners, hosts, rules: Object.fromEntries(rules), backends: Object.fromEntries(backends) };
}

function checkRow(
  row: TableRow,
  place: string,
  known: { readonly rules: ReadonlyMap<string, unknown>; readonly listenerIds: ReadonlySet<string> },
): void {
  if (!known.rules.has(row.rule)) throw new TableError(`${place}.rule names ${row.rule}, which rules does not hold.`);
  for (const [index, id] of row.listeners.entries()) {
    if (known.listenerIds.has(id)) continue;
    throw new TableError(`${place}.listeners[${index}] names ${id}, which listeners does not hold.`);
  }
}

function checkShare(share: WeightedBackend, place: string, backends: ReadonlyMap<string, unknown>): void {
  if (share.answer !== undefined) return;
  if (share.backend === undefined) throw new TableError(`${place} has neither a backend nor an answer.`);
  if (backends.has(share.backend)) return;
  throw new TableError(`${place}.backend names ${share.backend}, which backends does not hold.`);
}

function unique<T>(pieces: readonly T[], nameOf: (piece: T) => string, place: string): Set<string> {
  const names = new Set<string>();
  for (const [index, piece] of pieces.entries()) {
    const name = nameOf(piece);
    if (names.has(name)) throw new TableError(`${place}[${index}] is a second entry for ${name}.`);
    names.add(name);
  }
  return names;
}

/** The piece with its type, or the first thing that is wrong with it and where. */
export function valid<T>(validator: validate.Validator<T>, piece: unknown, place: () => string): T {
  if (validator(piece)) return piece;
  const error = validator.errors?.[0];
  const path = (error?.instancePath ?? '').split('/').slice(1).map(pathStep).join('');
  const where = `${place()}${path}`.replace(/^\./, '') || 'the document';
  throw new TableError(`${where} ${error?.message ?? 'is not valid'}${allowed(error?.params)}.`);
}

function pathStep(step: string): string {
  return /^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll('~1', '/').replaceAll('~0', '~')}`;
}

function allowed(params: Readonly<Record<string, unknown>> | undefined): string {
  const values = params?.['allowedValues'];
  return Array.isArray(values) ? `: ${values.join(', ')}` : '';
}
