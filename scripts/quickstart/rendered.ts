/** The first chapter's work: render the examples, show the files, and find a route's status among them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cfgwctl } from './cfgwctl.ts';
import { command, progress, say } from './screen.ts';
import { tree } from './tree.ts';

/** A line of stderr that is about an object: `file:line:column: severity: …`. */
const finding = /^\S+:\d+:\d+: (error|warning|note): /;

/** Renders into `target` and shows what came of it. Gives back every finding, a line each; throws if it failed. */
export async function renderExamples(
  examples: string,
  target: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  command(`cfgwctl render -f ${examples} -o ${target}`);
  progress('rendering …');
  const { code, stderr } = await cfgwctl(['render', '-f', examples, '-o', target], signal);
  if (code !== 0) throw new Error(`cfgwctl render ended with ${code}. It said:\n${stderr}`);
  for (const line of tree(target)) say(`   ${line}`);
  const findings = stderr.split('\n').filter((line) => finding.test(line));
  for (const line of findings.filter(isNote)) say(`   ${line}`);
  return findings;
}

/** A note is for information only; the examples need not be without. */
export function isNote(line: string): boolean {
  return finding.exec(line)?.[1] === 'note';
}

/** The backends a Gateway's routing table sends to, as `<namespace>/<service>:<port>`. */
export function backendsOf(rendered: string, gateway: string): readonly string[] {
  const text = readFileSync(join(rendered, gateway, 'table.json'), 'utf8');
  const { backends } = JSON.parse(text) as { readonly backends: Readonly<Record<string, unknown>> };
  return Object.keys(backends).map((id) => {
    const [, namespace, service, port] = id.split('/');
    return `${namespace}/${service}:${port}`;
  });
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

interface Claim {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly status: { readonly parents?: readonly { readonly conditions: readonly Condition[] }[] };
}

/** The conditions of an HTTPRoute's first parent, from the status.json files that render wrote. */
export function routeStatus(
  rendered: string,
  route: { readonly namespace: string; readonly name: string },
): readonly Condition[] {
  const files = readdirSync(rendered, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('status.json'),
  );
  const claims = files.flatMap((file) => claimsIn(JSON.parse(readFileSync(join(rendered, file), 'utf8'))));
  const claim = claims.find(
    ({ kind, namespace, name }) => kind === 'HTTPRoute' && namespace === route.namespace && name === route.name,
  );
  return claim?.status.parents?.[0]?.conditions ?? [];
}

function claimsIn(document: unknown): readonly Claim[] {
  return (document as { readonly statuses?: readonly Claim[] }).statuses ?? [];
}
