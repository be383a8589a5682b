/*
 * Starts a command of this project on whatever Node a machine has (20 or newer) and with nothing installed:
 * `node scripts/run.mjs NAME ARGS…` installs the dependencies if they are lacking or older than the lock file, builds the
 * bundles for the commands that run them, and then runs `scripts/NAME.ts` under the pinned Node with ARGS as they are.
 * Plain JavaScript, because it runs before there is a Node that reads TypeScript.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const bin = join(root, 'node_modules', '.bin');
const node = join(bin, 'node');

/** These run the bundles in dist/, so the bundles are made from the present sources first. */
const runsBundles = new Set(['quickstart', 'bench']);

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
const [name, ...args] = process.argv.slice(2);

if (name === undefined || !existsSync(join(root, 'scripts', `${name}.ts`))) {
  fail(`there is no command ${name ?? '(none given)'}: package.json lists what "npm run" can start`);
}
checkSystemLibrary();
if (!installed()) {
  say('installing dependencies (npm ci)');
  run('npm', ['ci'], 'the dependencies could not be installed');
}
checkNode();
if (runsBundles.has(name)) {
  run(node, [join('scripts', 'compile.ts'), '--quiet'], 'the bundles could not be built');
}
process.exitCode = forward(node, [join(root, 'scripts', `${name}.ts`), ...args]);

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(2);
}

function run(command, commandArgs, otherwise) {
  const status = forward(command, commandArgs);
  if (status !== 0) fail(`${otherwise}: "${[command, ...commandArgs].join(' ')}" ended with ${status}`);
}

/** Runs a command on this terminal; its exit code, or 128 + 15 when a signal ended it. */
function forward(command, commandArgs) {
  const result = spawnSync(command, commandArgs, { cwd: root, env, stdio: 'inherit' });
  if (result.error) fail(`${command} could not be started: ${result.error.message}`);
  return result.status ?? 143;
}

/** The Node of this project links libatomic, which a minimal Debian lacks; npm's own error about it names no remedy. */
function checkSystemLibrary() {
  if (process.platform !== 'linux') return;
  const cache = ['ldconfig', '/sbin/ldconfig', '/usr/sbin/ldconfig']
    .map((ldconfig) => spawnSync(ldconfig, ['-p'], { encoding: 'utf8' }))
    .find((result) => result.status === 0);
  if (cache && !cache.stdout.includes('libatomic.so.1')) fail(missingLibrary());
}

function missingLibrary() {
  return 'Node 26 needs the system library libatomic.so.1, which this machine lacks; install it with: apt-get install -y libatomic1';
}

/** Whether node_modules holds what the lock file names; the record npm keeps there is compared, so a plain `npm ci` counts too. */
function installed() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record) || !existsSync(node)) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
  const present = packagesOf(record);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, wanted]) => path === '' || wanted.optional || present[path]?.version === wanted.version,
  );
}

function checkNode() {
  const probe = spawnSync(node, ['--version'], { encoding: 'utf8' });
  if (probe.status === 0) return;
  const reason = probe.stderr?.trim() || probe.error?.message || 'no reason given';
  fail(reason.includes('libatomic') ? missingLibrary() : `the project's Node (${node}) does not start: ${reason}`);
}
