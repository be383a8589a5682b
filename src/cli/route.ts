import { Option, type Command } from 'commander';
import type { PlaneResult } from '../derive/results.ts';
import { deriveFiles, planeServing, type Derived } from './derived.ts';
import { UsageError } from './exitcodes.ts';
import { collected, withRuleOptions, type RuleOptions } from './options.ts';
import { rehearse, type Rehearsal } from './rehearsal.ts';
import { askedRequest, splitWords, type AskedRequest } from './request.ts';
import { describeRehearsal } from './routedescription.ts';
import { coloured, type Terminal } from './terminal.ts';

interface RouteOptions extends RuleOptions {
  readonly header?: readonly string[];
  readonly gateway?: string;
  readonly output: 'text' | 'json';
}

const examples = `
Examples:
  cfgwctl route -f docs/examples GET https://www.shop.example/
  cfgwctl route -f docs/examples -H 'X-Search: canary' GET www.shop.example/search
  cfgwctl route -f docs/examples --gateway shop/api -o json POST api.shop.example/v1/orders

Exit codes: 0 fine (whatever answers), 2 bad input.`;

/** `cfgwctl route`: where a request would go, and why nowhere else; by the proxy's own gate, matcher and filters. */
export function routeCommand(program: Command, terminal: Terminal): void {
  withRuleOptions(program.command('route').description('say where a request would go, and why'))
    .argument('[method]', 'as GET')
    .argument('[url]', 'as https://app.example.com/path')
    .addOption(new Option('-H, --header <line>', 'a header, "Name: value"; may be repeated').argParser(collected))
    .option('--gateway <namespace/name>', 'ask this Gateway only')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (_method: unknown, _url: unknown, options: RouteOptions, command: Command) => {
      const words = splitWords(options.filename, command.args);
      const [method, url] = words.request;
      if (method === undefined || url === undefined || words.files.length === 0)
        throw new UsageError(
          'route needs files, a method and a URL: cfgwctl route -f FILES GET https://app.example.com/',
        );
      const asked = askedRequest(method, url, options.header ?? []);
      const derived = await deriveFiles({ ...options, filename: words.files }, terminal);
      if (derived !== undefined) answer({ asked, derived, options }, terminal);
    });
}

interface Question {
  readonly asked: AskedRequest;
  readonly derived: Derived;
  readonly options: RouteOptions;
}

interface PlaneAnswer {
  readonly plane: PlaneResult['plane'];
  readonly rehearsal: Rehearsal;
}

function answer({ asked, derived, options }: Question, { out }: Terminal): void {
  const all = [...derived.derivation.planes().values()];
  const wanted = options.gateway === undefined ? undefined : planeServing(options.gateway, derived);
  const asking = wanted === undefined ? all : [wanted].filter((each) => typeof each !== 'string');
  const answers = asking.map(({ plane, table, endpoints }): PlaneAnswer => {
    return { plane, rehearsal: rehearse(asked, { table: table.text, endpoints }) };
  });
  if (options.output === 'json') {
    const problem = typeof wanted === 'string' ? { why: wanted } : {};
    out.write(
      `${JSON.stringify({ request: requestOf(asked), ...problem, planes: answers.map(jsonOf) }, undefined, 2)}\n`,
    );
    return;
  }
  for (const { plane, rehearsal } of answers)
    out.write(`${coloured('bold', `plane ${plane.id}`, out)}\n${describeRehearsal(rehearsal, asked)}`);
  if (typeof wanted === 'string') out.write(`${wanted}\n`);
  else if (answers.length === 0) out.write('no Gateway of the files is served\n');
}

function requestOf({ method, target, rawHeaders }: AskedRequest): object {
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [{ name, value: rawHeaders[at + 1] }] : []));
  return { method, target, headers };
}

function jsonOf({ plane, rehearsal: { explanation, outcome } }: PlaneAnswer): object {
  const { winner, owners = [], rows = [] } = explanation ?? {};
  const won =
    winner === undefined ? {} : { host: winner.host, match: winner.row, rule: { id: winner.ruleId, ...winner.rule } };
  return {
    plane: plane.id,
    gateways: plane.gateways,
    owners,
    ...won,
    outcome,
    rows: rows.map(({ host, rank, row, lost }) => ({ host, rank, ...row, ...(lost === undefined ? {} : { lost }) })),
  };
}
