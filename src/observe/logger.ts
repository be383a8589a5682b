/**
 * Structured logs: one JSON object a line, errors with their stack, secrets never. JSON is the only format, because it is the one in
 * which a line break inside a value cannot forge a second line.
 */
import { Writable } from 'node:stream';
import { createLogger as createWinston, format, transports } from 'winston';
import { redacted } from './redact.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Values of a line beside level, time and message. An `Error` anywhere in it is written as `{name, message, code, stack}`. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A logger; `close` resolves once every line has left the process, and is to be awaited before the process exits. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to each of its lines. */
  child(fields: LogFields): Logger;
  close(): Promise<void>;
}

export interface LoggerOptions {
  /** Least severe level that is written; `info` by default. */
  readonly level?: LogLevel;
  /** Where lines go; standard error by default, so that a command's output stays clean. */
  readonly destination?: Writable;
}

/** Names that winston itself reads from a line; a field of that name is kept under `field_<name>`. */
const reserved = new Set(['level', 'message', 'time']);

export function createLogger(options: LoggerOptions = {}): Logger {
  const stream = options.destination ?? standardError();
  const winston = createWinston({
    level: options.level ?? 'info',
    format: format.combine(
      format.timestamp({ alias: 'time', format: () => new Date().toISOString() }),
      format(stripAlias)(),
      format.json(),
    ),
    transports: [new transports.Stream({ stream })],
    exitOnError: false,
  });
  const finished = new Promise<void>((resolve) => winston.once('finish', resolve));
  const close = async (): Promise<void> => {
    winston.end();
    await finished;
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  };
  const write = (level: LogLevel, message: string, fields: LogFields): void => {
    if (!winston.writable) return;
    winston.log({ ...named(fields), level, message });
  };
  return loggerWith({}, write, close);
}

/** A logger that writes nothing: the default of everything that takes a logger. */
export const silentLogger: Logger = loggerWith(
  {},
  () => {},
  () => Promise.resolve(),
);

type Write = (level: LogLevel, message: string, fields: LogFields) => void;

function loggerWith(base: LogFields, write: Write, close: () => Promise<void>): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      write(level, message, { ...base, ...fields });
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    child: (fields) => loggerWith({ ...base, ...fields }, write, close),
    close,
  };
}

function named(fields: LogFields): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    out[reserved.has(name) ? `field_${name}` : name] = redacted(name, value);
  return out;
}

/** winston's timestamp format leaves its own key beside the alias. */
function stripAlias(line: { timestamp?: unknown; level: string; message: unknown }): typeof line {
  delete line.timestamp;
  return line;
}

/** Written synchronously by Node for pipes and files, so a line is out before the process can end. */
function standardError(): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      process.stderr.write(chunk, () => done());
    },
  });
}
