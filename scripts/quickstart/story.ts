/** The chapters of the quickstart in their order. Each shows what it does and gives back what differed from the manifests, as sentences. */
import { cpSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { freePorts, startBackends } from './backends.ts';
import type { Backend } from './backends.ts';
import { cases, mistake, pages, split } from './cases.ts';
import { serve } from './cfgwctl.ts';
import type { ServeOptions, Serving } from './cfgwctl.ts';
import type { Cleanup } from './cleanup.ts';
import { readManifests } from './manifests.ts';
import { backendsOf, isNote, renderExamples, routeStatus } from './rendered.ts';
import { checkCases } from './requests.ts';
import { chapter, command, coloured, progress, say, table } from './screen.ts';
import { isAsAsked, measureSplit } from './split.ts';
import { replaceInFile, switchOver } from './switchover.ts';

export interface Setting {
  /** Folder of the example manifests. */
  readonly examples: string;
  readonly cleanup: Cleanup;
  /** Aborted when the user wants to stop. */
  readonly signal: AbortSignal;
}

/** What is running once the second chapter is over. */
interface Stage extends Setting {
  readonly backends: readonly Backend[];
  /** By Gateway. */
  readonly serving: ReadonlyMap<string, Serving>;
  /** Copy of the examples that is served, and may be edited. */
  readonly copy: string;
}

export async function story(setting: Setting): Promise<string[]> {
  const { examples, cleanup, signal } = setting;
  const folder = cleanup.directory();
  chapter('Manifests in, manifests per Gateway out');
  const rendered = join(folder, 'rendered');
  const findings = await renderExamples(examples, rendered, signal);
  chapter('A data plane for each Gateway, a sample backend for each Service');
  const stage = await start(setting, rendered, join(folder, 'examples'));
  return [
    ...(await answers(stage)),
    ...(await shares(stage)),
    ...showMistake(stage, rendered, findings),
    ...(await edit(stage)),
  ];
}

async function start(setting: Setting, rendered: string, copy: string): Promise<Stage> {
  const { examples, cleanup, signal } = setting;
  cpSync(examples, copy, { recursive: true });
  const { gateways, servicePorts } = readManifests(examples);
  const backends = await startBackends(servicePorts, cleanup);
  const ports = await freePorts(gateways.length * 2);
  const addressOf = new Map(backends.map(({ service, port, at }) => [`${service}:${port}`, `127.0.0.1:${at}`]));
  const flagsOf = (gateway: string): string[] =>
    backendsOf(rendered, gateway).map((backend) => `${backend}=${addressOf.get(backend)}`);
  const optionsOf = (gateway: string, index: number): ServeOptions => {
    const [port = 0, adminPort = 0] = ports.slice(index * 2);
    return { manifests: copy, gateway, port, adminPort, backends: flagsOf(gateway) };
  };
  const options = gateways.map(optionsOf);
  for (const { gateway, port } of options)
    command(
      `cfgwctl serve -f COPY --gateway ${gateway} --listen 127.0.0.1:${port} --backend NS/SERVICE:PORT=HOST:PORT …`,
    );
  say(`   COPY is a copy of ${examples}; --backend says where the ${backends.length} Services are played.`);
  progress('starting …');
  const serving = await Promise.all(options.map((each) => serve(each, cleanup, signal)));
  return { ...setting, backends, copy, serving: new Map(serving.map((each) => [each.gateway, each])) };
}

function portOf({ serving }: Stage, gateway: string): number {
  const port = serving.get(gateway)?.port;
  if (port === undefined) throw new Error(`no Gateway ${gateway} is served; cases.ts and the manifests do not agree`);
  return port;
}

async function answers(stage: Stage): Promise<string[]> {
  chapter('Requests over real connections');
  const results = await checkCases(cases, (gateway) => portOf(stage, gateway), stage);
  const rows = results.map(({ request, expected, got, rule }) => [request, expected, got, rule]);
  table(['request', 'the manifests say', 'got', 'by rule of HTTPRoute'], rows, (cell, column, row) =>
    column === 2 ? coloured(results[row]?.problems.length === 0 ? 'green' : 'red', cell) : cell,
  );
  say('   Header fields at both ends are compared too, and `cfgwctl route` names the same rule for each.');
  return results.flatMap(({ request, problems }) => problems.map((problem) => `${request}: ${problem}`));
}

const requests = 600;

async function shares(stage: Stage): Promise<string[]> {
  chapter(`A split by weight, measured over ${requests} requests`);
  progress('sending …');
  const agent = new Agent({ keepAlive: true });
  const found = await measureSplit(portOf(stage, split.gateway), split, requests, agent);
  agent.destroy();
  stage.signal.throwIfAborted();
  const rows = found.map(({ backend, wanted, got, least, most }) => [
    backend,
    `${wanted * 100} %`,
    `${((got / requests) * 100).toFixed(1)} %`,
    `${got} answers, ${least} to ${most} may be chance`,
  ]);
  table(['backend', 'weight', 'got', ''], rows);
  return found
    .filter((share) => !isAsAsked(share))
    .map(({ backend, got, least, most }) => `${backend} had ${got} of ${requests} answers, not ${least} to ${most}`);
}

function showMistake({ backends }: Stage, rendered: string, findings: readonly string[]): string[] {
  const { route, condition, neverAsked } = mistake;
  const key = `${route.namespace}/${route.name}`;
  chapter(`The deliberate mistake: HTTPRoute ${key}`);
  const lines = findings.filter((line) => line.includes(`HTTPRoute ${key}:`));
  const others = findings.filter((line) => !lines.includes(line) && !isNote(line));
  say('   render said:');
  for (const line of lines) say(`     ${coloured('yellow', line)}`);
  const status = routeStatus(rendered, route);
  say('   and its status will be:');
  for (const { type, status: value, reason, message } of status) say(`     ${type}=${value} (${reason}): ${message}`);
  const asked = backends.find(({ service }) => service === neverAsked)?.requests();
  say(`   ${neverAsked} was sent ${asked} requests.`);
  const isClaimed = status.some(
    ({ type, status: value, reason }) =>
      type === condition.type && value === condition.status && reason === condition.reason,
  );
  return [
    ...(lines.length > 0 ? [] : [`render said nothing of HTTPRoute ${key}`]),
    ...others.map((line) => `render found something else than the deliberate mistake: ${line}`),
    ...(isClaimed
      ? []
      : [`the status of HTTPRoute ${key} lacks ${condition.type}=${condition.status}/${condition.reason}`]),
    ...(asked === 0 ? [] : [`${neverAsked} got ${asked} requests though no grant allows any`]),
  ];
}

async function edit(stage: Stage): Promise<string[]> {
  chapter('A route is edited while requests run');
  const file = '3-shop-routes.yaml';
  const [from, to] = ['storefront-blue', 'storefront-green'];
  command(`sed -i s/${from}/${to}/ COPY/${file}`);
  progress('sending …');
  const {
    took,
    requests: sent,
    wrong,
  } = await switchOver({
    port: portOf(stage, pages.gateway),
    request: pages,
    before: pages.before,
    after: pages.after,
    edit: () => replaceInFile(join(stage.copy, file), from, to),
    signal: stage.signal,
  });
  stage.signal.throwIfAborted();
  const change = `${pages.host}${pages.target} went from ${pages.before} to ${pages.after}`;
  if (took === undefined) return [`${change}: it did not within 30 s`];
  say(`   ${change} ${Math.round(took)} ms after the file was written.`);
  say(`   ${sent} requests ran meanwhile; ${wrong.length} of them failed or went elsewhere.`);
  return wrong.slice(0, 5).map((each) => `while the route was edited, ${each}`);
}
