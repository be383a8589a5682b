import { DependencyType, JsonFile, javascript, typescript } from 'projen';

/**
 * The one hand-written project file: package.json, tsconfig.json, tool configurations and ignore files are written from here by `npx projen`.
 * Every version is pinned exactly, because an unplanned tool release must never turn the gate red or, worse, silently green.
 */

/** What the bundles in dist/ are made of. */
const runtime = [
  'cdk8s@2.70.106',
  'cdk8s-plus-28@2.5.6',
  'constructs@10.8.1',
  '@kubernetes/client-node@2.0.1',
  'cloudflare@7.3.0',
  'http-proxy-3@2.0.1',
  'undici@8.13.1',
  'prom-client@15.1.3',
  'winston@3.19.0',
  'yaml@2.9.1',
  'ajv@8.20.0',
  'ajv-formats@3.0.1',
  '@bufbuild/cel@0.6.1',
  '@bufbuild/protobuf@2.17.0',
  'commander@15.1.0',
  're2js@2.10.0',
  'croner@11.0.1',
  'rfc6902@5.4.0',
  'fast-deep-equal@3.1.3',
  'cookie@2.0.2',
];

/** Tools that are called by a script or a task and imported by no file. */
const tools = [
  'node@26.10.0',
  'c8@12.0.0',
  'oxlint@1.94.0',
  'oxlint-tsgolint@7.0.2008',
  'oxfmt@0.79.0',
  'dependency-cruiser@18.7.2',
  'knip@6.44.2',
  'cdk8s-cli@2.207.60',
  'mocha@12.0.3',
];

/** What tests and scripts import. */
const development = [
  'esbuild@0.28.2',
  'fast-check@4.11.0',
  'ws@8.23.0',
  '@types/ws@8.18.2',
  '@types/node@26.6.7',
  '@types/mocha@10.0.10',
  '@grpc/grpc-js@1.14.7',
  'typebox@1.4.3',
  'tinybench@6.2.5',
];

const nameOf = (pinned: string): string => pinned.slice(0, pinned.lastIndexOf('@'));

const project = new typescript.TypeScriptAppProject({
  name: 'cloudflare-gateway-controller',
  description: 'Gateway API on Cloudflare Tunnel: a Kubernetes operator and its per-Gateway data plane',
  defaultReleaseBranch: 'main',
  packageManager: javascript.NodePackageManager.NPM,
  minNodeVersion: '26.0.0',
  license: 'Apache-2.0',
  copyrightOwner: 'The cloudflare-gateway-controller authors',
  copyrightPeriod: '2026',
  entrypoint: '',
  libdir: 'dist',
  projenrcTs: true,
  projenrcTsOptions: { runner: typescript.TypeScriptRunner.nodejs(), projenCodeDir: '.projen' },
  projenVersion: '0.103.25',
  typescriptVersion: '~6.0.3',
  allowScripts: ['node', 'esbuild'],
  deps: runtime,
  devDeps: [...tools, ...development],
  jest: false,
  eslint: false,
  prettier: false,
  github: false,
  depsUpgrade: false,
  sampleCode: false,
  package: false,
  buildWorkflow: false,
  release: false,
  npmignoreEnabled: false,
  disableTsconfigDev: true,
  readme: { contents: '# cloudflare-gateway-controller\n' },
  gitignore: ['/dist/', '/coverage/', '/.cache/', '/NOTICE', '*.tsbuildinfo', '.DS_Store', '.idea/', '.vscode/'],
  tsconfig: {
    include: ['src/**/*.ts', 'imports/**/*.ts', 'test/**/*.ts', 'scripts/**/*.ts', '.projenrc.ts'],
    exclude: ['node_modules', 'dist'],
    compilerOptions: {
      rootDir: '.',
      outDir: undefined,
      noEmit: true,
      target: 'es2024',
      lib: ['es2024'],
      types: ['node', 'mocha'],
      module: 'nodenext',
      moduleResolution: javascript.TypeScriptModuleResolution.NODE_NEXT,
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      skipLibCheck: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      resolveJsonModule: true,
      declaration: false,
      inlineSourceMap: false,
      inlineSources: false,
      experimentalDecorators: false,
      ...{ erasableSyntaxOnly: true, incremental: true, tsBuildInfoFile: 'node_modules/.cache/tsc.tsbuildinfo' },
    },
  },
});

project.deps.removeDependency('constructs', DependencyType.BUILD);
project.package.addField('type', 'module');
project.package.addField('private', true);
project.package.addField('bin', { cfgwctl: 'dist/cfgwctl.mjs' });

const npmrc = new javascript.NpmConfig(project);
npmrc.addConfig('omit-lockfile-registry-resolved', 'true');
npmrc.addConfig('loglevel', 'error');
npmrc.addConfig('fund', 'false');
npmrc.addConfig('audit', 'false');

/*
 * The commands a person types start on any Node from 20 on, with or without node_modules, and pass their arguments on quoted;
 * `scripts/run.mjs NAME` brings what is lacking and then runs `scripts/NAME.ts` under the pinned Node.
 */
for (const name of Object.keys(project.tasks.all.reduce<Record<string, true>>((all, task) => ({ ...all, [task.name]: true }), {}))) {
  project.removeScript(name);
}
for (const name of ['quickstart', 'verify', 'test', 'bench', 'compile', 'imports', 'image-files']) {
  project.package.setScript(name, `node scripts/run.mjs ${name}`);
}
project.compileTask.reset('node scripts/compile.ts');
project.testTask.reset('node scripts/test.ts');

new JsonFile(project, '.mocharc.json', {
  marker: false,
  obj: { spec: ['src/**/*.test.ts', 'test/**/*.test.ts'], extension: ['ts'], timeout: 20_000, 'forbid-only': true, 'forbid-pending': true },
});

project.synth();
void JsonFile;
void nameOf;
