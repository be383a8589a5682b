/** From text to a checked table, in steps short enough for a process that serves requests meanwhile. */
import { collectTable } from './collect.ts';
import type { RoutingTable } from './document.ts';
import { TableError } from './error.ts';
import { readLines, type PieceSink } from './lines.ts';

/** Pieces between two pauses when a text in a foreign layout is checked. */
const stepSize = 500;

/**
 * Reads and checks a document, pausing about every millisecond of work. A text in the layout of `encode.ts` is read line by
 * line; any other valid JSON is parsed in one go and then checked in steps.
 *
 * Throws TableError, naming the place, for a document that is not valid or has another major version. What it may hold
 * beyond this build's version: unknown fields are ignored, an unknown filter makes its rule answer 500. A pattern that
 * does not compile is no fault of the document.
 */
export function* decodeInSteps(text: string): Generator<void, RoutingTable> {
  const byLines = collectTable();
  if (yield* readLines(text, byLines)) return yield* byLines.finish();
  const whole = collectTable();
  yield* readWhole(text, whole);
  return yield* whole.finish();
}

/** The same without pauses. */
export function decode(text: string): RoutingTable {
  const steps = decodeInSteps(text);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

function* readWhole(text: string, sink: PieceSink): Generator<void, void> {
  const document = parse(text);
  sink.head(document);
  let read = 0;
  for (const listener of listAt(document, 'listeners')) sink.listener(listener);
  for (const [index, host] of listAt(document, 'hosts').entries()) {
    sink.host(host);
    for (const row of listAt(host, 'rows', `hosts[${index}].`)) {
      sink.row(row);
      if (++read % stepSize === 0) yield;
    }
  }
  for (const [id, rule] of recordAt(document, 'rules')) {
    sink.rule(id, rule);
    if (++read % stepSize === 0) yield;
  }
  for (const [id, backend] of recordAt(document, 'backends')) sink.backend(id, backend);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TableError(`The text is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function listAt(owner: unknown, key: string, place = ''): readonly unknown[] {
  const value = fieldOf(owner, key);
  if (Array.isArray(value)) return value;
  throw new TableError(`${place}${key} must be a list.`);
}

function recordAt(owner: unknown, key: string): [string, unknown][] {
  const value = fieldOf(owner, key);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new TableError(`${key} must be an object.`);
}

function fieldOf(owner: unknown, key: string): unknown {
  return typeof owner === 'object' && owner !== null ? Reflect.get(owner, key) : undefined;
}
