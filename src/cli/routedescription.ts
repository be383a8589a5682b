import type { ExplainedRow } from '../proxy/match/linear.ts';
import type { TableFilter, TableRow, TableRule } from '../table/document.ts';
import type { Outcome, Rehearsal, Sent, Share } from './rehearsal.ts';
import type { AskedRequest } from './request.ts';

/** Rows that lost, shown at most. */
const mostLost = 20;

/** The answer to "where does it go and why", as indented lines. */
export function describeRehearsal({ explanation, outcome }: Rehearsal, asked: AskedRequest): string {
  const lost = (explanation?.rows ?? []).filter(({ lost }) => lost !== undefined);
  const winner = explanation?.winner;
  const lines = [
    ...(winner === undefined ? [] : won(winner)),
    ...outcomeLines(outcome, asked, winner === undefined ? '  ' : '    '),
    ...(lost.length === 0 ? [] : ['  not taken', ...lost.slice(0, mostLost).map(lostLine)]),
    ...(lost.length > mostLost ? [`    … ${lost.length - mostLost} more`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function won({ rule, row, host }: { rule: TableRule; row: TableRow; host: string }): string[] {
  return [
    `  ${rule.source}`,
    `    host      ${host}`,
    `    match     ${matchText(row)}`,
    ...(rule.timeouts === undefined ? [] : [`    timeouts  ${JSON.stringify(rule.timeouts)}`]),
    ...(rule.filters ?? []).map((filter) => `    filter    ${filterText(filter)}`),
    ...(rule.backends ?? []).flatMap(({ backend, filters = [] }) =>
      filters.map(
        (filter) => `    filter    ${filterText(filter)}, only towards ${backend ?? 'a share without backend'}`,
      ),
    ),
  ];
}

function outcomeLines(outcome: Outcome, asked: AskedRequest, indent: string): string[] {
  switch (outcome.kind) {
    case 'answer':
      return [`${indent}${answerText(outcome)}`];
    case 'redirect':
      return [`${indent}${answerText(outcome)}`];
    case 'backends':
      return outcome.shares.flatMap((share) => shareLines(share, asked));
  }
}

function answerText(outcome: Exclude<Outcome, { kind: 'backends' }>): string {
  return outcome.kind === 'answer'
    ? `${outcome.status}: ${outcome.why}`
    : `${outcome.status} redirect to ${outcome.location}`;
}

function shareLines(share: Share, asked: AskedRequest): string[] {
  const { percent, backend } = share;
  const part = `${Number.isInteger(percent) ? percent : percent.toFixed(1)} %`.padEnd(8);
  if (share.answer !== undefined)
    return [`    ${part}  ${answerText(share.answer)}${backend === undefined ? '' : ` (${backend})`}`];
  const { protocol, websocket, addresses } = share;
  const how = [protocol, ...(websocket ? ['WebSocket'] : []), ...addresses].join(', ');
  return [`    ${part}  ${backend} (${how})`, ...sentLines(share, asked)];
}

/** What the backend sees, where filters make it differ from what was asked. */
function sentLines({ target, host }: Sent, asked: AskedRequest): string[] {
  const sent = [
    ...(target === asked.target ? [] : [target]),
    ...(host === asked.rawHeaders[1] ? [] : [`Host ${host}`]),
  ];
  return sent.length === 0 ? [] : [`              as ${sent.join(', ')}`];
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
