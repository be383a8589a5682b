/**
 * Reads a document in the layout of `encode.ts` a few lines at a time, so that a table of megabytes never holds up the
 * event loop. Any text in another layout, though it be valid JSON, is left to the caller.
 */
import { sections } from './encode.ts';

/** Takes the parsed pieces in the order of the document. Places are those of the whole document. */
export interface PieceSink {
  head(head: unknown): void;
  listener(listener: unknown): void;
  host(host: unknown): void;
  /** A row of the host that came last. */
  row(row: unknown): void;
  rule(id: string, rule: unknown): void;
  backend(id: string, backend: unknown): void;
}

/** Characters per step: about a millisecond of parsing and checking. */
const stepSize = 64 * 1024;
const hostOpen = /^ {2}\{"host":"(?:[^"\\]|\\.)*","rows":\[$/;
const hostClose = /^ {2}\]\},?$/;

/**
 * Reads the whole text, pausing every few lines. Returns false, possibly after some pieces were given out, if the text is not
 * in the layout; the caller then starts again with all of it.
 */
export function* readLines(text: string, sink: PieceSink): Generator<void, boolean> {
  const lines = linesOf(text);
  try {
    if (!readHead(lines, sink)) return false;
    if (!(yield* readList(lines, 'listeners', (piece) => sink.listener(piece)))) return false;
    if (!(yield* readHosts(lines, sink))) return false;
    if (!(yield* readRecord(lines, 'rules', (id, piece) => sink.rule(id, piece)))) return false;
    if (!(yield* readRecord(lines, 'backends', (id, piece) => sink.backend(id, piece)))) return false;
    return lines.next() === '}' && lines.next() === '' && lines.next() === undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** A place in a text that moves on by lines. */
interface Lines {
  /** The line at the place; nothing behind the end of the text. */
  peek(): string | undefined;
  /** The same, and moves behind it. */
  next(): string | undefined;
  /** The lines from here on that begin with the indent, up to one step, without the last comma; empty if there is none. */
  run(indent: string): string;
}

function linesOf(text: string): Lines {
  let at = 0;
  const lineEnd = (): number => {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  };
  const peek = (): string | undefined => (at > text.length ? undefined : text.slice(at, lineEnd()));
  return {
    peek,
    next() {
      const line = peek();
      at = lineEnd() + 1;
      return line;
    },
    run(indent) {
      const start = at;
      while (at - start < stepSize && text.startsWith(indent, at)) at = lineEnd() + 1;
      if (at === start) return '';
      const comma = text[at - 2] === ',';
      expectComma(comma, text.startsWith(indent, at));
      return text.slice(start, comma ? at - 2 : at - 1);
    },
  };
}

/** Pieces are parsed apart, so what stands between them is checked here: as strictly as JSON would. */
function expectComma(found: boolean, more: boolean): void {
  if (found !== more) throw new SyntaxError('pieces are separated by commas');
}

function readHead(lines: Lines, sink: PieceSink): boolean {
  if (lines.next() !== '{') return false;
  const head = `${lines.next()}${lines.next()}`;
  if (!head.endsWith(',')) return false;
  sink.head(JSON.parse(`{${head.slice(0, -1)}}`));
  return true;
}

function* readList(lines: Lines, section: 'listeners', take: (piece: unknown) => void): Generator<void, boolean> {
  if (lines.next() !== sections[section].open) return false;
  yield* readRuns(lines, '  ', (run) => list(run).forEach(take));
  return lines.next() === sections[section].close;
}

function* readRecord(
  lines: Lines,
  section: 'rules' | 'backends',
  take: (id: string, piece: unknown) => void,
): Generator<void, boolean> {
  if (lines.next() !== sections[section].open) return false;
  yield* readRuns(lines, '  ', (run) => {
    const pieces: Record<string, unknown> = JSON.parse(`{${run}}`);
    for (const [id, piece] of Object.entries(pieces)) take(id, piece);
  });
  return lines.next() === sections[section].close;
}

function* readHosts(lines: Lines, sink: PieceSink): Generator<void, boolean> {
  if (lines.next() !== sections.hosts.open) return false;
  let read = 0;
  for (let open = lines.peek(); open !== undefined && hostOpen.test(open); open = lines.peek()) {
    lines.next();
    sink.host(JSON.parse(`${open}]}`));
    yield* readRuns(lines, '    ', (run) => {
      read += run.length;
      list(run).forEach((row) => sink.row(row));
    });
    const close = lines.next() ?? '';
    if (!hostClose.test(close)) return false;
    expectComma(close.endsWith(','), hostOpen.test(lines.peek() ?? ''));
    // Many small hosts make a step together, as the rows of one large host do by themselves.
    if (read < stepSize) continue;
    read = 0;
    yield;
  }
  return lines.next() === sections.hosts.close;
}

/** Hands out runs of lines, with a pause after each that filled a step. */
function* readRuns(lines: Lines, indent: string, take: (run: string) => void): Generator<void, void> {
  for (let run = lines.run(indent); run !== ''; run = lines.run(indent)) {
    take(run);
    if (run.length >= stepSize - 2) yield;
  }
}

function list(run: string): unknown[] {
  return JSON.parse(`[${run}]`);
}
