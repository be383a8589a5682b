/** The Grafana dashboards of the chart. They name the metrics that docs and alerts name; a test compares the three. */
import type { OutputFile } from './output.ts';

interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly unit: 'short' | 's' | 'reqps' | 'Bps' | 'bytes' | 'percentunit';
  readonly queries: readonly Query[];
}

interface Dashboard {
  /** Of the file, and of Grafana's address of it. */
  readonly name: string;
  readonly title: string;
  /** A metric whose namespaces the dashboard can be narrowed to. */
  readonly namespacesOf: string;
  readonly panels: readonly Panel[];
}

const perSecond = (metric: string, by: string, filter = ''): string =>
  `sum by (${by}) (rate(${metric}{namespace=~"$namespace"${filter}}[$__rate_interval]))`;

const quantile = (rank: number, metric: string, by: string): string =>
  `histogram_quantile(${rank}, ${perSecond(`${metric}_bucket`, ['le', by].filter(Boolean).join(', '))})`;

const controller: Dashboard = {
  name: 'controller',
  title: 'Cloudflare gateway controller',
  namespacesOf: 'leader_election_master_status',
  panels: [
    {
      title: 'Leaders (should be 1)',
      unit: 'short',
      queries: [{ expr: 'sum(leader_election_master_status{namespace=~"$namespace"})', legend: 'leaders' }],
    },
    {
      title: 'Waiting changes',
      unit: 'short',
      queries: [{ expr: 'sum by (name) (workqueue_depth{namespace=~"$namespace"})', legend: '{{name}}' }],
    },
    {
      title: 'Reconciliations',
      unit: 'reqps',
      queries: [
        {
          expr: perSecond('controller_runtime_reconcile_total', 'controller, result'),
          legend: '{{controller}} {{result}}',
        },
      ],
    },
    {
      title: 'Time of a reconciliation',
      unit: 's',
      queries: [0.5, 0.99].map((rank) => ({
        expr: quantile(rank, 'controller_runtime_reconcile_time_seconds', ''),
        legend: `p${rank * 100}`,
      })),
    },
    {
      title: 'Requests to the API server',
      unit: 'reqps',
      queries: [{ expr: perSecond('rest_client_requests_total', 'method, code'), legend: '{{method}} {{code}}' }],
    },
    {
      title: 'Calls of the Cloudflare API',
      unit: 'reqps',
      queries: [
        {
          expr: perSecond('cftunnel_cloudflare_api_calls_total', 'method, resource'),
          legend: '{{method}} {{resource}}',
        },
      ],
    },
    {
      title: 'Errors of the Cloudflare API',
      unit: 'reqps',
      queries: [{ expr: perSecond('cftunnel_cloudflare_api_errors_total', 'error_type'), legend: '{{error_type}}' }],
    },
    {
      title: 'Routes in service',
      unit: 'short',
      queries: [{ expr: 'max by (type) (cftunnel_synced_routes{namespace=~"$namespace"})', legend: '{{type}}' }],
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: [
        { expr: 'process_resident_memory_bytes{namespace=~"$namespace", job=~".*-metrics"}', legend: '{{pod}}' },
      ],
    },
  ],
};

const dataPlanes: Dashboard = {
  name: 'data-planes',
  title: 'Cloudflare gateway data planes',
  namespacesOf: 'cftunnel_proxy_requests_in_flight',
  panels: [
    {
      title: 'Requests by status',
      unit: 'reqps',
      queries: [{ expr: perSecond('cftunnel_proxy_requests_total', 'status_class'), legend: '{{status_class}}' }],
    },
    {
      title: 'Requests by hostname',
      unit: 'reqps',
      queries: [{ expr: perSecond('cftunnel_proxy_requests_total', 'hostname'), legend: '{{hostname}}' }],
    },
    {
      title: 'Share of 5xx',
      unit: 'percentunit',
      queries: [
        {
          expr: `${perSecond('cftunnel_proxy_requests_total', 'hostname', ', status_class="5xx"')} / ${perSecond('cftunnel_proxy_requests_total', 'hostname')}`,
          legend: '{{hostname}}',
        },
      ],
    },
    {
      title: 'Time of a request',
      unit: 's',
      queries: [0.5, 0.95, 0.99].map((rank) => ({
        expr: quantile(rank, 'cftunnel_proxy_request_duration_seconds', ''),
        legend: `p${rank * 100}`,
      })),
    },
    {
      title: 'Failures of backends',
      unit: 'reqps',
      queries: [
        {
          expr: perSecond('cftunnel_proxy_backend_errors_total', 'hostname, reason'),
          legend: '{{hostname}} {{reason}}',
        },
      ],
    },
    {
      title: 'Refused before routing',
      unit: 'reqps',
      queries: [{ expr: perSecond('cftunnel_proxy_gate_refused_total', 'reason'), legend: '{{reason}}' }],
    },
    {
      title: 'In flight',
      unit: 'short',
      queries: [
        { expr: 'sum(cftunnel_proxy_requests_in_flight{namespace=~"$namespace"})', legend: 'requests' },
        {
          expr: 'sum(cftunnel_proxy_websocket_active_sessions{namespace=~"$namespace"})',
          legend: 'WebSocket sessions',
        },
      ],
    },
    {
      title: 'Bodies',
      unit: 'Bps',
      queries: ['request', 'response'].map((direction) => ({
        expr: `sum(rate(cftunnel_proxy_${direction}_bytes_total{namespace=~"$namespace"}[$__rate_interval]))`,
        legend: direction,
      })),
    },
    {
      title: 'Pods that serve an old table',
      unit: 'short',
      queries: [{ expr: 'sum(cftunnel_proxy_table_stale{namespace=~"$namespace"})', legend: 'pods' }],
    },
    {
      title: 'Connections to the edge (4 a pod)',
      unit: 'short',
      queries: [
        { expr: 'cloudflared_tunnel_ha_connections{namespace=~"$namespace"}', legend: '{{namespace}}/{{pod}}' },
      ],
    },
  ],
};

/** A file for each dashboard. */
export function dashboards(): readonly OutputFile[] {
  return [controller, dataPlanes].map((dashboard) => ({
    path: `files/dashboards/${dashboard.name}.json`,
    text: `${JSON.stringify(grafana(dashboard), null, 2)}\n`,
  }));
}

const source = { type: 'prometheus', uid: '${datasource}' };

function grafana({ name, title, namespacesOf, panels }: Dashboard): object {
  return {
    uid: `cfgw-${name}`,
    title,
    tags: ['cloudflare-gateway-controller'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus' },
        {
          name: 'namespace',
          type: 'query',
          datasource: source,
          query: `label_values(${namespacesOf}, namespace)`,
          refresh: 2,
          includeAll: true,
          multi: true,
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    panels: panels.map(timeSeries),
  };
}

function timeSeries({ title, unit, queries }: Panel, at: number): object {
  return {
    id: at + 1,
    type: 'timeseries',
    title,
    datasource: source,
    gridPos: { h: 8, w: 12, x: (at % 2) * 12, y: Math.floor(at / 2) * 8 },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCodePoint(65 + index),
      datasource: source,
      expr,
      legendFormat: legend,
    })),
  };
}
