/**
 * What the proxy counts. Names and labels: reference, "Metrics" of the data-plane proxy. The label `hostname` is the matched host
 * bucket, never what a client sent, so the number of series is bounded by the table.
 */
import { histogramCell, observe } from '../observe/metrics.ts';
import type { HistogramCell, Metrics, Sample } from '../observe/metrics.ts';

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const statusClasses = ['aborted', '1xx', '2xx', '3xx', '4xx', '5xx', 'other'] as const;
/** Label of a request that matched no bucket. */
const unmatched = 'unmatched';

export type BackendErrorReason = 'dial' | 'timeout' | 'tls' | 'canceled' | 'ws_dial' | 'ws_handshake' | 'other';

/** What is counted for one host bucket. */
export interface HostAccount {
  readonly duration: HistogramCell;
  readonly byClass: Float64Array;
  readonly backendErrors: Map<BackendErrorReason, number>;
  bytesIn: number;
  bytesOut: number;
}

/** What is counted of one exchange. */
export interface Counted {
  readonly account: HostAccount | undefined;
  /** Milliseconds, monotonic. */
  readonly started: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** All counts of one proxy. */
export interface Accounts<E extends Counted> {
  inFlight: number;
  webSockets: number;
  readonly refused: Map<string, number>;
  /** The account of a host bucket, made when first asked for. */
  of(hostname: string | undefined): HostAccount;
  finished(exchange: E, status: number): void;
  backendError(exchange: E, reason: BackendErrorReason): void;
  refuse(reason: string): void;
  /** Forgets buckets that the table no longer names. */
  keepOnly(hostnames: ReadonlySet<string>): void;
}

/** Told of each finished exchange; the access log. */
export type FinishedListener<E extends Counted> = (exchange: E, status: number) => void;

export function createAccounts<E extends Counted>(metrics: Metrics, listener?: FinishedListener<E>): Accounts<E> {
  const hosts = new Map<string, HostAccount>();
  const accounts: Accounts<E> = {
    inFlight: 0,
    webSockets: 0,
    refused: new Map(),
    of(hostname = unmatched) {
      let account = hosts.get(hostname);
      if (!account) {
        account = emptyAccount();
        hosts.set(hostname, account);
      }
      return account;
    },
    finished(exchange, status) {
      accounts.inFlight -= 1;
      const account = exchange.account ?? accounts.of(undefined);
      observe(account.duration, bounds, (performance.now() - exchange.started) / 1000);
      const index = classOf(status);
      account.byClass[index] = (account.byClass[index] ?? 0) + 1;
      account.bytesIn += exchange.bytesIn;
      account.bytesOut += exchange.bytesOut;
      listener?.(exchange, status);
    },
    backendError(exchange, reason) {
      const { backendErrors } = exchange.account ?? accounts.of(undefined);
      backendErrors.set(reason, (backendErrors.get(reason) ?? 0) + 1);
    },
    refuse(reason) {
      accounts.refused.set(reason, (accounts.refused.get(reason) ?? 0) + 1);
    },
    keepOnly(hostnames) {
      for (const hostname of hosts.keys())
        if (hostname !== unmatched && !hostnames.has(hostname)) hosts.delete(hostname);
    },
  };
  publish(metrics, accounts, hosts);
  return accounts;
}

function emptyAccount(): HostAccount {
  return {
    duration: histogramCell(bounds),
    byClass: new Float64Array(statusClasses.length),
    backendErrors: new Map(),
    bytesIn: 0,
    bytesOut: 0,
  };
}

function classOf(status: number): number {
  if (status === 0) return 0;
  return status >= 100 && status < 600 ? Math.floor(status / 100) : statusClasses.length - 1;
}

function publish(metrics: Metrics, accounts: Accounts<never>, hosts: ReadonlyMap<string, HostAccount>): void {
  const perHost = function* (value: (account: HostAccount) => number): Generator<Sample> {
    for (const [hostname, account] of hosts) yield { labels: { hostname }, value: value(account) };
  };
  const name = (suffix: string, help: string, labels: string[] = []) => ({
    name: `cftunnel_proxy_${suffix}`,
    help,
    labels,
  });

  metrics.sampled('gauge', name('requests_in_flight', 'Requests being served, WebSocket sessions excluded.'), () => [
    { labels: {}, value: accounts.inFlight },
  ]);
  metrics.sampled('gauge', name('websocket_active_sessions', 'Upgraded sessions that are open.'), () => [
    { labels: {}, value: accounts.webSockets },
  ]);
  metrics.sampledHistogram(
    {
      ...name('request_duration_seconds', 'Wall time of a request; of a WebSocket the time to the upgrade.', [
        'hostname',
      ]),
      bounds,
    },
    () => [...hosts].map(([hostname, account]) => ({ labels: { hostname }, cell: account.duration })),
  );
  metrics.sampled('counter', name('requests_total', 'Completed requests.', ['hostname', 'status_class']), () =>
    byClass(hosts),
  );
  metrics.sampled('counter', name('backend_errors_total', 'Backend failures.', ['hostname', 'reason']), () =>
    byReason(hosts),
  );
  metrics.sampled('counter', name('response_bytes_total', 'Body bytes sent to clients.', ['hostname']), () =>
    perHost((account) => account.bytesOut),
  );
  metrics.sampled('counter', name('request_bytes_total', 'Body bytes received from clients.', ['hostname']), () =>
    perHost((account) => account.bytesIn),
  );
  metrics.sampled('counter', name('gate_refused_total', 'Requests refused before routing.', ['reason']), () =>
    [...accounts.refused].map(([reason, value]) => ({ labels: { reason }, value })),
  );
}

function* byClass(hosts: ReadonlyMap<string, HostAccount>): Generator<Sample> {
  for (const [hostname, account] of hosts) {
    for (const [index, class_] of statusClasses.entries()) {
      const value = account.byClass[index] ?? 0;
      if (value > 0) yield { labels: { hostname, status_class: class_ }, value };
    }
  }
}

function* byReason(hosts: ReadonlyMap<string, HostAccount>): Generator<Sample> {
  for (const [hostname, account] of hosts) {
    for (const [reason, value] of account.backendErrors) yield { labels: { hostname, reason }, value };
  }
}
