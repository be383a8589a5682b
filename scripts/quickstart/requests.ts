/** Sends every case to its Gateway, and asks `cfgwctl route` which rule decides it. */
import type { Case } from './cases.ts';
import { cfgwctl } from './cfgwctl.ts';
import { described, describedAnswer, differences } from './compare.ts';
import { send } from './request.ts';
import { progress } from './screen.ts';

export interface Result {
  /** All of them as one line each, to be shown. */
  readonly request: string;
  readonly expected: string;
  readonly got: string;
  readonly rule: string;
  readonly problems: readonly string[];
}

interface Surroundings {
  readonly examples: string;
  readonly signal: AbortSignal;
}

export async function checkCases(
  cases: readonly Case[],
  portOf: (gateway: string) => number,
  { examples, signal }: Surroundings,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const each of cases) {
    progress(`${results.length} of ${cases.length} requests`);
    const [answer, predicted] = await Promise.all([send(portOf(each.gateway), each), predict(each, examples, signal)]);
    const rule = each.rule === undefined ? undefined : `HTTPRoute ${each.rule}`;
    results.push({
      request: shown(each),
      expected: described(each.expected),
      got: describedAnswer(answer, each.target),
      rule: each.rule ?? 'none',
      problems: [...differences(each, answer), ...predictionProblem(rule, predicted)],
    });
  }
  return results;
}

function shown({ method, host, target, headers }: Case): string {
  const fields = Object.entries(headers ?? {}).map(([name, value]) => ` (${name}: ${value})`);
  return `${method} ${host}${target}${fields.join('')}`;
}

/** What `cfgwctl route` says of the request. */
async function predict(
  { gateway, method, host, target, headers }: Case,
  examples: string,
  signal: AbortSignal,
): Promise<string> {
  const fields = Object.entries(headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { code, stdout, stderr } = await cfgwctl(
    ['route', '-f', examples, '--gateway', gateway, method, `http://${host}${target}`, ...fields],
    signal,
  );
  if (code !== 0) throw new Error(`cfgwctl route ended with ${code} for ${host}${target}. It said:\n${stderr}`);
  return stdout;
}

function predictionProblem(rule: string | undefined, predicted: string): string[] {
  // The first line names the plane, the second the winner; those that lost come after it.
  const [, winner = ''] = predicted.split('\n').map((line) => line.trim());
  const wanted = rule ?? '404: no rule matches';
  if (winner === wanted || winner.startsWith(`${wanted} `) || winner.startsWith(`${wanted};`)) return [];
  return [`cfgwctl route does not say ${wanted}, but: ${winner}`];
}
