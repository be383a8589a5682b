import type { ExplainedRow, Explanation } from '../proxy/match/linear.ts';
import type { TableFilter, TableRow, TableRule, WeightedBackend } from '../table/document.ts';

/** Rows that lost, shown at most. */
const mostLost = 20;

/** The answer to "where does it go and why", as indented lines. */
export function describeExplanation({ winner, owners, rows }: Explanation): string {
  const lost = rows.filter(({ lost }) => lost !== undefined);
  return [
    ...(winner === undefined ? nothing(owners) : won(winner.rule, winner.row, winner.host)),
    ...(lost.length === 0 ? [] : ['  not taken', ...lost.slice(0, mostLost).map(lostLine)]),
    ...(lost.length > mostLost ? [`    … ${lost.length - mostLost} more`] : []),
    '',
  ].join('\n');
}

function nothing(owners: readonly string[]): string[] {
  const listeners =
    owners.length === 0 ? 'no listener takes this host' : `the host belongs to listener ${owners.join(', ')}`;
  return [`  404: no rule matches; ${listeners}`];
}

function won(rule: TableRule, row: TableRow, host: string): string[] {
  return [
    `  ${rule.source}`,
    `    host      ${host}`,
    `    match     ${matchText(row)}`,
    ...(rule.timeouts === undefined ? [] : [`    timeouts  ${JSON.stringify(rule.timeouts)}`]),
    ...(rule.filters ?? []).map((filter) => `    filter    ${filterText(filter)}`),
    ...answers(rule),
  ];
}

function answers({ answer, backends = [], filters = [] }: TableRule): string[] {
  if (answer !== undefined) return [`    answers   ${answer.status}: ${answer.why}`];
  if (filters.some(({ type }) => type === 'RequestRedirect')) return [];
  if (backends.length === 0) return ['    answers   500: the rule has no backend with a weight'];
  const total = backends.reduce((sum, { weight }) => sum + weight, 0);
  return backends.map((backend) => `    ${share(backend.weight, total)}  ${backendText(backend)}`);
}

function share(weight: number, total: number): string {
  const percent = (weight / total) * 100;
  return `${Number.isInteger(percent) ? percent : percent.toFixed(1)} %`.padEnd(8);
}

function backendText({ backend, answer, filters = [] }: WeightedBackend): string {
  const where = backend ?? `answers ${answer?.status ?? 500}: ${answer?.why ?? 'no backend'}`;
  return [where, ...filters.map((filter) => `with ${filterText(filter)}`)].join(', ');
}

function filterText({ type, ...rest }: TableFilter): string {
  return `${type} ${JSON.stringify(rest)}`;
}

function matchText({ path, method, headers = [], queryParams = [] }: TableRow): string {
  const conditions = [
    `path ${path.type} ${path.value}`,
    ...(method === undefined ? [] : [`method ${method}`]),
    ...headers.map(({ name, type, value }) => `header ${name} ${type} ${value}`),
    ...queryParams.map(({ name, type, value }) => `query ${name} ${type} ${value}`),
  ];
  return conditions.join(', ');
}

function lostLine({ host, row, lost }: ExplainedRow): string {
  return `    ${row.rule} (${host}, ${matchText(row)}): ${lost}`;
}
