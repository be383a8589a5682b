/**
 * Writes what is generated from CRDs and from Kubernetes' OpenAPI: `imports/` (constructs of cdk8s) and
 * `src/facts/schema/kinds/` (schemas). `--check` writes nothing and fails if a file differs from what it would be.
 * The network is needed only where Go's module cache lacks a module of scripts/imports/go.mod.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constructs } from './imports/constructs.ts';
import { coreSchemas, metadataSchema } from './imports/core-schemas.ts';
import { crdSchemas, type KindSchema } from './imports/crd-schemas.ts';
import { readCrds, type Json } from './imports/crds.ts';
import { goModules, type GoModule } from './imports/go-modules.ts';
import { layout } from './imports/layout.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chartCrds = join('charts', 'cloudflare-gateway-controller', 'files', 'crds');
const schemas = join('src', 'facts', 'schema', 'kinds');

const gatewayApiKinds = [
  'BackendTLSPolicy',
  'Gateway',
  'GatewayClass',
  'GRPCRoute',
  'HTTPRoute',
  'ListenerSet',
  'ReferenceGrant',
];

function main(args: readonly string[]): void {
  const unknown = args.filter((each) => each !== '--check');
  if (unknown.length > 0) throw new Error(`unknown argument ${unknown.join(' ')}; the only one is --check`);
  const files = generated();
  const stale = [...staleFiles(files)];
  if (stale.length === 0) return;
  if (!args.includes('--check')) return update(files, stale);
  process.stderr.write(`${stale.map((path) => `${path} is not what the CRDs say`).join('\n')}\nrun: npm run imports\n`);
  process.exitCode = 1;
}

/** Every generated file by its path in the project. */
function generated(): ReadonlyMap<string, string> {
  const modules = goModules();
  const gatewayApi = moduleOf(modules, 'sigs.k8s.io/gateway-api');
  const kubernetes = moduleOf(modules, 'k8s.io/kubernetes');
  const channel = (name: string) => readCrds(join(gatewayApi.directory, 'config', 'crd', name), gatewayApiKinds);
  const [experimental, standard, ours] = [
    channel('experimental'),
    channel('standard'),
    readCrds(join(root, chartCrds)),
  ];
  const serviceImports = moduleOf(modules, 'sigs.k8s.io/mcs-api');
  const kinds = [
    ...experimental.flatMap((crd) => {
      const twin = standard.find((each) => each.spec.names.kind === crd.spec.names.kind);
      return crdSchemas(crd, sourceOf(gatewayApi), twin);
    }),
    ...ours.flatMap((crd) => crdSchemas(crd, chartCrds)),
    ...readCrds(join(serviceImports.directory, 'config', 'crd'), ['ServiceImport']).flatMap((crd) =>
      crdSchemas(crd, sourceOf(serviceImports)),
    ),
    ...coreSchemas(kubernetes.directory, sourceOf(kubernetes)),
  ];
  const metadata = { source: sourceOf(kubernetes), schema: metadataSchema(kubernetes.directory) };
  return new Map([
    ...[...constructs([...experimental, ...ours])].map(([name, text]) => [join('imports', name), text] as const),
    ...kinds.map((each) => [join(schemas, fileName(each)), text(each)] as const),
    [join(schemas, 'ObjectMeta.json'), text(metadata)],
  ]);
}

function moduleOf(modules: ReadonlyMap<string, GoModule>, path: string): GoModule {
  const found = modules.get(path);
  if (found === undefined) throw new Error(`scripts/imports/go.mod does not pin ${path}`);
  return found;
}

function sourceOf({ path, version }: GoModule): string {
  return `${path} ${version}`;
}

function fileName({ group, versions, kind }: KindSchema): string {
  return `${group === '' ? 'core' : group}_${versions[0]}_${kind}.json`;
}

function text(value: KindSchema | { readonly source: string; readonly schema: Json }): string {
  return `${layout(value as unknown as Json)}\n`;
}

function* staleFiles(files: ReadonlyMap<string, string>): Generator<string> {
  for (const [path, content] of files) if (current(path) !== content) yield path;
  for (const [directory, ending] of [
    ['imports', '.ts'],
    [schemas, '.json'],
  ] as const) {
    const names = readdirSync(join(root, directory)).filter((name) => name.endsWith(ending));
    yield* names.map((name) => join(directory, name)).filter((path) => !files.has(path));
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

function update(files: ReadonlyMap<string, string>, stale: readonly string[]): void {
  mkdirSync(join(root, schemas), { recursive: true });
  for (const path of stale) {
    const content = files.get(path);
    if (content === undefined) rmSync(join(root, path));
    else writeFileSync(join(root, path), content);
    process.stdout.write(`${content === undefined ? 'removed' : 'written'} ${path}\n`);
  }
}

main(process.argv.slice(2));
