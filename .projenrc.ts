import { DependencyType, IgnoreFile, JsonFile, javascript, typescript } from 'projen';

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
  '@bufbuild/cel@0.6.1',
  '@bufbuild/protobuf@2.17.0',
  'commander@15.1.0',
  're2js@2.10.0',
  'croner@11.0.1',
  'rfc6902@5.4.0',
  'fast-deep-equal@3.1.3',
  'cookie@2.0.2',
];

/** Tools that are called by name only, so that no file shows their use. */
const tools = ['c8@12.0.0', 'oxlint@1.94.0', 'oxlint-tsgolint@7.0.2008', 'oxfmt@0.79.0', 'dependency-cruiser@18.7.2'];

/** What tests and scripts import or start by path. */
const development = [
  'node@26.10.0',
  'mocha@12.0.3',
  'knip@6.44.2',
  'cdk8s-cli@2.207.60',
  'esbuild@0.28.2',
  'fast-check@4.11.0',
  'ws@8.23.0',
  '@types/ws@8.18.2',
  '@types/node@26.6.7',
  '@types/mocha@10.0.10',
  '@grpc/grpc-js@1.14.7',
  'typebox@1.4.3',
  'ajv@8.20.0',
];

/** Dependencies of work that has not landed yet; each leaves this list with the first file that imports it. */
const awaited = ['cookie'];

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
    },
  },
});

// What projen's own types do not know, or projen would set itself.
project.tsconfig?.file.addOverride('compilerOptions.erasableSyntaxOnly', true);
project.tsconfig?.file.addOverride('compilerOptions.incremental', true);
project.tsconfig?.file.addOverride('compilerOptions.tsBuildInfoFile', 'node_modules/.cache/tsc.tsbuildinfo');
project.tsconfig?.file.addDeletionOverride('compilerOptions.outDir');

project.deps.removeDependency('constructs', DependencyType.BUILD);
project.package.addField('type', 'module');
project.package.addField('private', true);
project.package.addVersion('0.1.0');
project.package.addField('bin', { cfgwctl: 'dist/cfgwctl.mjs' });

const npmrc = new javascript.NpmConfig(project);
npmrc.addConfig('omit-lockfile-registry-resolved', 'true');
npmrc.addConfig('loglevel', 'error');
npmrc.addConfig('fund', 'false');
npmrc.addConfig('audit', 'false');

/*
 * The commands a person types start on any Node from 20 on, with or without node_modules, and pass their arguments on quoted:
 * `scripts/run.mjs NAME` brings what is lacking and then runs `scripts/NAME.ts` under the pinned Node.
 */
for (const task of project.tasks.all) {
  project.removeScript(task.name);
}
for (const name of [
  'quickstart',
  'verify',
  'test',
  'bench',
  'compile',
  'imports',
  'table-schema',
  'image-files',
  'chart',
  'cluster',
  'conformance',
]) {
  project.package.setScript(name, `node scripts/run.mjs ${name}`);
}
// A task of projen costs half a second by itself and would be a second way to do what the scripts do.
for (const name of [
  'build',
  'clobber',
  'compile',
  'eject',
  'package',
  'post-compile',
  'pre-compile',
  'test',
  'watch',
]) {
  project.tasks.removeTask(name);
}

const json = (path: string, obj: unknown): JsonFile => new JsonFile(project, path, { marker: false, obj });

// No `spec` here: mocha adds it to the files named on the command line, and `mocha one.test.ts` would run everything.
json('.mocharc.json', { extension: ['ts'], timeout: 10_000, 'forbid-only': true, 'forbid-pending': true });

json('.c8rc.json', {
  all: true,
  src: ['src'],
  include: ['src/**/*.ts'],
  exclude: ['src/**/*.test.ts', 'src/**/main.ts'],
  reporter: ['text-summary', 'json-summary', 'html'],
  'reports-dir': 'coverage',
  'temp-directory': 'coverage/tmp',
  'check-coverage': true,
  lines: 80,
  branches: 80,
});

json('.oxfmtrc.json', {
  printWidth: 120,
  singleQuote: true,
  trailingComma: 'all',
  // Documents are laid out by hand, data files belong to their generators, and projen writes the JSON at the root.
  ignorePatterns: [
    'imports/**',
    'charts/**',
    'docs/**',
    '**/*.md',
    '**/*.yaml',
    '**/*.yml',
    '**/*.json',
    '**/*.jsonc',
    '**/*.generated.*',
  ],
});

/** A suite is one function by its nature, and is read as a table of cases. */
const tests = ['**/*.test.ts', 'test/**/*.ts'];

json('.oxlintrc.json', {
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node'],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['imports/**', 'dist/**', 'coverage/**', '**/*.generated.*'],
  rules: {
    complexity: ['error', 12],
    'max-depth': ['error', 4],
    'max-lines': ['error', { max: 450, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: false, skipComments: false }],
    'max-params': ['error', 4],
    'import/no-cycle': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/consistent-type-imports': 'error',
    'typescript/ban-ts-comment': [
      'error',
      { 'ts-expect-error': true, 'ts-ignore': true, 'ts-nocheck': true, minimumDescriptionLength: 0 },
    ],
    'typescript/no-explicit-any': 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    // Text from outside is given its type by an assertion once its schema was checked; the compiler has its own rule for missing returns.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/consistent-return': 'off',
    'consistent-return': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'import/no-named-as-default-member': 'off',
    'unicorn/consistent-function-scoping': 'off',
    // Mocha registers a suite by calling describe(), and a side effect import is how a program's main starts.
    'import/no-unassigned-import': 'off',
  },
  overrides: [
    { files: tests, rules: { 'max-lines-per-function': 'off' } },
    // A construct registers itself with its scope when it is made, so `new X(scope, …)` stands alone.
    { files: ['src/derive/emit/**/*.ts', '.projenrc.ts'], rules: { 'no-new': 'off' } },
    {
      files: ['src/derive/**/*.ts'],
      excludeFiles: ['**/*.test.ts'],
      rules: {
        'no-console': 'error',
        'no-restricted-globals': [
          'error',
          ...[
            'process',
            'fetch',
            'setTimeout',
            'setInterval',
            'setImmediate',
            'queueMicrotask',
            'performance',
            'crypto',
            'Buffer',
          ].map((name) => ({
            name,
            message: 'A rule is pure: what it needs to know comes to it as a fact.',
          })),
        ],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'The clock is a fact.' },
          { object: 'Math', property: 'random', message: 'A rule gives the same answer every time.' },
        ],
      },
    },
  ],
});

/* Import directions, DESIGN "One direction of flow": facts → derive → effects, and the proxy is a separate room. */

/** A failing rule: what is in `from` may not import what is in `to`. */
const arrow = (name: string, comment: string, from: object, to: object): object => ({
  name,
  severity: 'error',
  comment,
  from,
  to,
});

/** The room `name` of src may import our own code only from `allowed`. A unit test stands beside its code and may set up more than its room. */
const room = (name: string, allowed: string[], comment: string): object =>
  arrow(
    `${name}-imports`,
    comment,
    { path: `^src/${name}/`, pathNot: '\\.test\\.ts$' },
    { path: '^(src|imports|scripts|test)/', pathNot: [`^src/${name}/`, ...allowed.map((path) => `^${path}`)] },
  );

const npm = (...names: string[]): object => ({ path: `(^|/)node_modules/(${names.join('|')})(/|$)` });

json('.dependency-cruiser.json', {
  forbidden: [
    arrow('no-circular', 'Modules that need each other are one module or three.', {}, { circular: true }),
    arrow('resolvable', 'An import that leads nowhere.', {}, { couldNotResolve: true }),
    arrow(
      'no-orphans',
      'A file that nothing imports and that imports nothing.',
      {
        orphan: true,
        pathNot: ['(^|/)main\\.ts$', '\\.test\\.ts$', '^scripts/', '^\\.projenrc\\.ts$', '\\.d\\.ts$', '^imports/'],
      },
      {},
    ),
    arrow(
      'no-development-dependencies',
      'Bundled code may use only what package.json lists as a dependency.',
      { path: '^src/', pathNot: ['\\.test\\.ts$', '^src/table/schema\\.'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'type-only'] },
    ),
    arrow(
      'no-tests',
      'Nothing imports a test.',
      { pathNot: '(\\.test\\.ts$|^test/)' },
      { path: '(\\.test\\.ts$|^test/)' },
    ),
    arrow(
      'no-scripts',
      'Only scripts and tests import scripts.',
      { path: '^(src|imports)/', pathNot: '\\.test\\.ts$' },
      { path: '^scripts/' },
    ),
    arrow(
      'no-main',
      'A main starts a program; nothing imports it.',
      {},
      { path: '^src/(operator|proxy|cli)/main\\.ts$' },
    ),
    room('api', [], 'api holds names only.'),
    room('table', [], 'The contract with the proxy imports nothing of ours.'),
    room('observe', ['src/api/'], 'Logs, metrics and traces know names and nothing else.'),
    room('facts', ['src/api/', 'src/observe/', 'imports/'], 'Facts know neither rules nor effects.'),
    room(
      'derive',
      ['src/facts/[^/]+\\.ts$', 'src/api/', 'src/table/', 'imports/'],
      'Rules see facts as collections, whatever their source.',
    ),
    room(
      'effects',
      ['src/derive/', 'src/facts/', 'src/api/', 'src/table/', 'src/observe/', 'imports/'],
      'Effects carry out what was derived.',
    ),
    room(
      'proxy',
      ['src/table/', 'src/observe/'],
      'The proxy knows the routing table and nothing of Kubernetes or Cloudflare.',
    ),
    room(
      'operator',
      ['src/(api|facts|derive|effects|table|observe)/', 'imports/'],
      'The operator holds no data plane.',
    ),
    room(
      'cli',
      ['src/(api|facts|derive|effects|table|observe|proxy)/', 'imports/'],
      'cfgwctl runs the same rules; the operator is a program of its own.',
    ),
    arrow(
      'derive-is-pure',
      'A rule does no I/O: no module of Node, no client, no logger.',
      { path: '^src/derive/', pathNot: '\\.test\\.ts$' },
      { dependencyTypes: ['core'] },
    ),
    arrow(
      'facts-words-are-pure',
      'Rules import the files at the top of facts, so these do no I/O either; the sources are the folders below.',
      { path: '^src/facts/[^/]+\\.ts$', pathNot: '\\.test\\.ts$' },
      { dependencyTypes: ['core'] },
    ),
    arrow(
      'derive-has-no-clients',
      'A rule does no I/O: no module of Node, no client, no logger.',
      { path: '^src/derive/', pathNot: '\\.test\\.ts$' },
      npm('@kubernetes', 'cloudflare', 'winston', 'prom-client', 'undici', 'http-proxy-3', 'commander'),
    ),
    arrow(
      'constructs-in-emit',
      'cdk8s is the vocabulary of emit; rules before it may name its types only.',
      { path: '^src/derive/', pathNot: ['^src/derive/emit/', '\\.test\\.ts$'] },
      { ...npm('cdk8s', 'cdk8s-plus-28', 'constructs'), dependencyTypesNot: ['type-only'] },
    ),
    arrow(
      'proxy-has-no-clients',
      'The proxy holds neither the Kubernetes client nor the Cloudflare SDK.',
      { path: '^src/(proxy|table)/' },
      npm('@kubernetes', 'cloudflare', 'cdk8s', 'cdk8s-plus-28', 'constructs', 'yaml'),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
});

json('knip.json', {
  entry: ['src/*/main.ts!', '{src,scripts}/**/*.test.ts', 'test/**/*.ts', 'scripts/*.{ts,mjs}', '.projenrc.ts'],
  project: ['src/**/*.ts!', 'test/**/*.ts', 'scripts/**/*.{ts,mjs}'],
  ignoreDependencies: [...tools.map(nameOf), ...awaited],
  ignoreExportsUsedInFile: true,
  ignoreBinaries: ['go'],
});

new IgnoreFile(project, '.dockerignore').addPatterns('*', '!dist/*.mjs', '!dist/NOTICE', '!dist/node', '!LICENSE');

project.synth();
