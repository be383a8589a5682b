/**
 * Keeps the served table equal to the mounted one: notices a change, validates the whole document, compiles it off the request path, swaps.
 * A document that is not valid changes nothing but the metrics, the log and the status. Field case B-07.
 */
import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import type { Logger } from '../observe/logger.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { EndpointsDocument } from '../table/document.ts';
import { compileServing, endpointsFile, readEndpoints, skippedRows, tableText } from './compile.ts';
import type { Doors } from './doors/doors.ts';
import type { Pipeline } from './handle.ts';
import { checkPatterns } from './match/compile.ts';
import type { ExchangeAccounts } from './exchange.ts';
import type { Serving } from './serving.ts';
import { inSlices } from './slices.ts';
import { openSource } from './source.ts';
import type { Source, SourceFiles } from './source.ts';
import { readyAddresses, wantedDestinations } from './upstream/upstreams.ts';
import type { Upstreams } from './upstream/upstreams.ts';

export interface ReloadOptions {
  readonly path: string;
  readonly pollMs: number;
  readonly pipeline: Pipeline;
  readonly upstreams: Upstreams;
  readonly accounts: ExchangeAccounts;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** In-cluster doors, if there are any: they follow the table and the certificates beside it. */
  readonly doors: Pick<Doors, 'serve'> | undefined;
}

/** What is loaded, as `/status` shows it and the operator reads it back. */
export interface ReloadStatus {
  readonly plane?: string;
  readonly schema?: string;
  /** Hash of the table in use; absent before the first valid one. */
  readonly loaded?: string;
  readonly loadedAt?: string;
  readonly rules: number;
  /** Rules and rows that cannot be served, one sentence each. */
  readonly skipped: readonly string[];
  readonly endpoints?: string;
  /** Why the newest document is not in use; absent when it is. */
  readonly lastError?: string;
  readonly lastErrorAt?: string;
}

export interface Reload {
  /** Resolves once a first valid table serves. */
  readonly ready: Promise<void>;
  status(): ReloadStatus;
  /** Looks now; resolves when what is there has been dealt with. */
  look(): Promise<ReloadStatus>;
  stop(): void;
}

/** Bursts of file system notices are one swap. */
const settleMs = 20;
/** Every so many polls the content is read although nothing seems to have changed. */
const readEvery = 30;

interface State {
  status: ReloadStatus;
  signature: string;
  /** Hash of the endpoints document in use, empty if there is none. */
  endpointsHash: string;
  endpoints: EndpointsDocument | undefined;
  reloads: number;
  failures: number;
  lastDurationMs: number;
}

export function startReload(options: ReloadOptions): Reload {
  const source = openSource(options.path);
  const state: State = {
    status: { rules: 0, skipped: [] },
    signature: '',
    endpointsHash: '',
    endpoints: undefined,
    reloads: 0,
    failures: 0,
    lastDurationMs: 0,
  };
  publish(options.metrics, state);
  const first = Promise.withResolvers<void>();
  let running: Promise<void> = Promise.resolve();
  /** Looks never overlap: the second waits for the first and then sees what it left. */
  const look = (isForced: boolean): Promise<void> => {
    running = running.then(async () => {
      await takeNews(options, state, source, isForced);
      if (options.pipeline.serving) first.resolve();
    });
    return running;
  };
  const watching = keepWatching(source, () => void look(true));
  let polls = 0;
  const poll = setInterval(() => {
    polls += 1;
    watching.ensure();
    void look(polls % readEvery === 0);
  }, options.pollMs);
  void look(true);
  return {
    ready: first.promise,
    status: () => state.status,
    look: async () => {
      await look(true);
      return state.status;
    },
    stop() {
      clearInterval(poll);
      watching.stop();
    },
  };
}

/** Reads and takes over what is new. Never throws: a failure is part of the status. */
async function takeNews(options: ReloadOptions, state: State, source: Source, isForced: boolean): Promise<void> {
  try {
    const signature = await source.signature();
    if (!isForced && signature === state.signature) return;
    const files = await source.read();
    state.signature = signature;
    const isNew = await takeTable(options, state, files);
    takeEndpoints(options, state, files, isNew);
    const { serving } = options.pipeline;
    if (serving) await options.doors?.serve(serving.table, files.byName);
    const { lastError: _gone, lastErrorAt: _too, ...rest } = state.status;
    state.status = rest;
  } catch (error) {
    fail(options, state, error);
  }
}

function fail({ logger }: ReloadOptions, state: State, error: unknown): void {
  const lastError = error instanceof Error ? error.message : String(error);
  // Said once for one broken document, not at every poll.
  if (state.status.lastError === lastError) return;
  state.failures += 1;
  state.status = { ...state.status, lastError, lastErrorAt: new Date().toISOString() };
  logger.error('the routing table on disk is not usable; the last good one stays in use', {
    reason: lastError,
    loaded: state.status.loaded,
  });
}

async function takeTable(options: ReloadOptions, state: State, files: SourceFiles): Promise<boolean> {
  const { pipeline, upstreams, accounts, logger } = options;
  const began = performance.now();
  const { text, hash } = await tableText(files);
  if (hash === state.status.loaded) return false;
  const serving = await inSlices(compileServing(text, { serving: pipeline.serving, endpoints: state.endpoints }));
  pipeline.serving = serving;
  state.reloads += 1;
  state.lastDurationMs = performance.now() - began;
  const { table } = serving;
  state.status = {
    ...state.status,
    plane: table.plane,
    schema: table.schema,
    loaded: hash,
    loadedAt: new Date().toISOString(),
    rules: Object.keys(table.rules).length,
    skipped: [],
  };
  accounts.keepOnly(new Set(table.hosts.map(({ host }) => host)));
  upstreams.keepOnly(wantedDestinations(table, serving.ready));
  logger.info('routing table loaded', {
    loaded: hash,
    rules: state.status.rules,
    duration_ms: Math.round(state.lastDurationMs),
  });
  void nameSkipped(options, state, serving);
  return true;
}

/** Compiles every pattern in the background: bad ones get known, good ones are warm before a request needs them. */
async function nameSkipped({ pipeline, logger }: ReloadOptions, state: State, serving: Serving): Promise<void> {
  await inSlices(checkPatterns(serving.compiled));
  if (pipeline.serving !== serving) return;
  const skipped = skippedRows(serving.compiled);
  state.status = { ...state.status, skipped };
  for (const reason of skipped) logger.warn('a row of the routing table cannot be served', { reason });
}

/** The endpoints document is taken over apart from the table; a broken one keeps the last good addresses. */
function takeEndpoints(
  { pipeline, upstreams }: ReloadOptions,
  state: State,
  files: SourceFiles,
  isNewTable: boolean,
): void {
  const { serving } = pipeline;
  if (!serving) return;
  const file = files.byName.get(endpointsFile);
  const hash = file === undefined ? '' : createHash('sha256').update(file).digest('hex');
  if (hash === state.endpointsHash && !isNewTable) return;
  state.endpoints = file === undefined ? undefined : readEndpoints(file);
  state.endpointsHash = hash;
  const { endpoints: _before, ...rest } = state.status;
  state.status = hash === '' ? rest : { ...rest, endpoints: hash };
  replaceReady(serving, state.endpoints);
  upstreams.keepOnly(wantedDestinations(serving.table, serving.ready));
}

function replaceReady(serving: Serving, endpoints: EndpointsDocument | undefined): void {
  serving.ready = readyAddresses(endpoints, serving.table);
}

/** Watches the directory, not the file: after a swap the file's inode is gone. A lost watch is taken up again at the next poll. */
function keepWatching(source: Source, changed: () => void): { ensure(): void; stop(): void } {
  let watcher: FSWatcher | undefined;
  let settle: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lose = (): void => {
    watcher?.close();
    watcher = undefined;
  };
  const ensure = (): void => {
    if (watcher || isStopped) return;
    void source.directory().then((directory) => {
      if (watcher || isStopped) return;
      try {
        watcher = watch(directory, () => {
          clearTimeout(settle);
          settle = setTimeout(changed, settleMs);
        });
        watcher.on('error', lose);
      } catch {
        lose();
      }
    });
  };
  ensure();
  return {
    ensure,
    stop() {
      isStopped = true;
      clearTimeout(settle);
      lose();
    },
  };
}

function publish(metrics: Metrics, state: State): void {
  const sample = (type: 'counter' | 'gauge', suffix: string, help: string, value: () => number): void =>
    metrics.sampled(type, { name: `cftunnel_proxy_table_${suffix}`, help }, () => [{ labels: {}, value: value() }]);
  sample('counter', 'reloads_total', 'Routing tables taken into use.', () => state.reloads);
  sample('counter', 'reload_failures_total', 'Routing tables that were not usable.', () => state.failures);
  sample('gauge', 'reload_seconds', 'Duration of the last reload.', () => state.lastDurationMs / 1000);
  sample('gauge', 'stale', '1 while the newest table is not usable and an older one serves.', () =>
    state.status.lastError === undefined ? 0 : 1,
  );
  sample('gauge', 'rules', 'Rules of the table in use.', () => state.status.rules);
  sample(
    'gauge',
    'skipped',
    'Rules and rows of the table in use that cannot be served.',
    () => state.status.skipped.length,
  );
}
