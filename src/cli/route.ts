import { Option, type Command } from 'commander';
import { decode } from '../table/decode.ts';
import { explain, type ExplainedRow, type Explanation } from '../proxy/match/linear.ts';
import { deriveFiles, planeServing, type Derived } from './derived.ts';
import { printFindings } from './findings.ts';
import { withRuleOptions, type RuleOptions } from './options.ts';
import { askedRequest, type AskedRequest } from './request.ts';
import { describeExplanation } from './routedescription.ts';
import { coloured, type Terminal } from './terminal.ts';

interface RouteOptions extends RuleOptions {
  readonly header?: readonly string[];
  readonly gateway?: string;
  readonly output: 'text' | 'json';
}

const examples = `
Examples:
  cfgwctl route -f docs/examples GET https://www.shop.example/
  cfgwctl route -f docs/examples -H 'X-Canary: always' GET www.shop.example/cart
  cfgwctl route -f docs/examples --gateway shop/web -o json GET www.shop.example/cart

Exit codes: 0 fine (whatever answers), 2 bad input.`;

/** `cfgwctl route`: where a request would go, and why nowhere else; by the matcher that the proxy is held to. */
export function routeCommand(program: Command, terminal: Terminal): void {
  withRuleOptions(program.command('route').description('say where a request would go, and why'))
    .argument('<method>', 'as GET')
    .argument('<url>', 'as https://app.example.com/path')
    .addOption(
      new Option('-H, --header <line>', 'a header, "Name: value"; may be repeated').argParser(
        (line: string, before: readonly string[] | undefined) => [...(before ?? []), line],
      ),
    )
    .option('--gateway <namespace/name>', 'ask this Gateway only')
    .addOption(new Option('-o, --output <form>', 'form of the answer').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (method: string, url: string, options: RouteOptions) => {
      const asked = askedRequest(method, url, options.header ?? []);
      const derived = await deriveFiles(options, terminal);
      if (derived === undefined) return;
      const assumed = derived.derivation.findings().filter(({ code }) => code === 'Assumed');
      printFindings(assumed, derived.input.facts, { terminal });
      answer({ asked, derived, options }, terminal);
    });
}

/** What one plane makes of the request. */
export interface PlaneAnswer {
  readonly plane: string;
  readonly explanation: Explanation;
}

interface Question {
  readonly asked: AskedRequest;
  readonly derived: Derived;
  readonly options: RouteOptions;
}

function answer({ asked, derived, options }: Question, { out }: Terminal): void {
  if (asked.refused !== undefined) {
    out.write(
      options.output === 'json'
        ? `${JSON.stringify({ status: 400, why: asked.refused })}\n`
        : `400: ${asked.refused}\n`,
    );
    return;
  }
  const { request } = asked;
  const wanted = options.gateway === undefined ? undefined : planeServing(options.gateway, derived);
  const answers = [...derived.derivation.planes().values()]
    .filter(({ plane }) => wanted === undefined || plane.id === wanted)
    .map(({ plane, table }): PlaneAnswer => ({ plane: plane.id, explanation: explain(decode(table.text), request) }));
  if (options.output === 'json') {
    out.write(`${JSON.stringify(answers.map(jsonOf), undefined, 2)}\n`);
    return;
  }
  for (const { plane, explanation } of answers) {
    out.write(`${coloured('bold', `plane ${plane}`, out)}\n${describeExplanation(explanation)}`);
  }
  if (answers.length === 0) out.write('no Gateway of the files is served\n');
}

function jsonOf({ plane, explanation: { winner, owners, rows } }: PlaneAnswer): object {
  return {
    plane,
    owners,
    ...(winner === undefined ? { status: 404 } : { rule: winner.rule, host: winner.host, row: winner.row }),
    rows: rows.map(({ host, rank, row, lost }: ExplainedRow) => ({
      host,
      rank,
      rule: row.rule,
      ...(lost === undefined ? {} : { lost }),
    })),
  };
}
