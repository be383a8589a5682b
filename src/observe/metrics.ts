/**
 * Metrics on prom-client, with its traps closed: a wrong label or number never throws into the caller, a name is registered once, and
 * what is counted on a hot path is kept in plain cells that are only read when somebody scrapes.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Metric } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

/** A metric's name, one-sentence meaning and label names. */
export interface MetricName {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** One sample read at scrape time. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Observations of one label set; `counts[i]` holds those at or below `bounds[i]` and above the bound before, the last those above all. */
export interface HistogramCell {
  readonly counts: Float64Array;
  sum: number;
}

/** A histogram cell and its labels, read at scrape time. */
export interface HistogramSample {
  readonly labels: Labels;
  readonly cell: HistogramCell;
}

export interface Metrics {
  counter(metric: MetricName): (labels?: Labels, by?: number) => void;
  gauge(metric: MetricName): (value: number, labels?: Labels) => void;
  histogram(metric: MetricName & { readonly bounds: readonly number[] }): (value: number, labels?: Labels) => void;
  /** Counter or gauge whose samples are read at scrape time. */
  sampled(type: 'counter' | 'gauge', metric: MetricName, read: () => Iterable<Sample>): void;
  /** Histogram whose cells are read at scrape time. */
  sampledHistogram(
    metric: MetricName & { readonly bounds: readonly number[] },
    read: () => Iterable<HistogramSample>,
  ): void;
  /** The scrape, in Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** A registry of its own, so that several proxies can live in one process. `process` adds the process and event-loop metrics. */
export function createMetrics(options: { readonly process?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry });
  const refused = new Counter({
    name: 'cftunnel_metric_errors_total',
    help: 'Observations refused for a wrong label or value.',
    registers: [registry],
  });
  const safely = (observe: () => void): void => {
    try {
      observe();
    } catch {
      refused.inc();
    }
  };
  const promOptions = (metric: MetricName) => ({
    name: metric.name,
    help: metric.help,
    labelNames: [...(metric.labels ?? [])],
    registers: [registry],
  });
  return {
    counter(metric) {
      const counter = new Counter(promOptions(metric));
      return (labels = {}, by = 1) => safely(() => counter.inc(labels, by));
    },
    gauge(metric) {
      const gauge = new Gauge(promOptions(metric));
      return (value, labels = {}) => safely(() => gauge.set(labels, value));
    },
    histogram(metric) {
      const histogram = new Histogram({ ...promOptions(metric), buckets: [...metric.bounds] });
      return (value, labels = {}) => safely(() => histogram.observe(labels, value));
    },
    sampled(type, metric, read) {
      register(registry, metric, type, () =>
        [...read()].map((sample) => ({ labels: sample.labels, value: sample.value })),
      );
    },
    sampledHistogram(metric, read) {
      register(registry, metric, 'histogram', () =>
        [...read()].flatMap((sample) => histogramLines(metric.name, metric.bounds, sample)),
      );
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** An empty cell for these bounds. */
export function histogramCell(bounds: readonly number[]): HistogramCell {
  return { counts: new Float64Array(bounds.length + 1), sum: 0 };
}

/** Adds one observation to a cell. */
export function observe(cell: HistogramCell, bounds: readonly number[], value: number): void {
  let index = 0;
  while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1;
  cell.counts[index] = (cell.counts[index] ?? 0) + 1;
  cell.sum += value;
}

interface Line {
  readonly labels: Labels;
  readonly value: number;
  readonly metricName?: string;
}

/** The registry only asks a metric for its name and its `get`; its type asks for the class. */
function register(registry: Registry, metric: MetricName, type: string, values: () => Line[]): void {
  const { name, help } = metric;
  const source = {
    name,
    get: () => Promise.resolve({ name, help, type, aggregator: 'sum', values: values() }),
    reset() {},
  };
  registry.registerMetric(source as unknown as Metric);
}

function histogramLines(name: string, bounds: readonly number[], { labels, cell }: HistogramSample): Line[] {
  let total = 0;
  const lines: Line[] = [];
  for (const [index, count] of cell.counts.entries()) {
    total += count;
    const bound = bounds[index];
    lines.push({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: bound === undefined ? '+Inf' : String(bound) },
      value: total,
    });
  }
  lines.push(
    { metricName: `${name}_sum`, labels, value: cell.sum },
    { metricName: `${name}_count`, labels, value: total },
  );
  return lines;
}
