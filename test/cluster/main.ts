/** What `npm run cluster` does; scripts/cluster.ts says how it is called. */
import { spawn } from 'node:child_process';
import { allParts } from './build/parts.ts';
import { obstacle } from './build/debian.ts';
import { ownImage } from './build/ownimage.ts';
import { allPrograms } from './build/programs.ts';
import { clear, isPresent, isTaken, readClaim } from './claim.ts';
import { runningCluster, startCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { installOperator } from './operator.ts';
import { highestNumber, placeOf } from './place.ts';

const usage = `npm run cluster -- [--number N] COMMAND
  up [--no-image]       start a cluster and leave it running; --no-image leaves our own image out
     [--with-operator]  with our operator in it, installed by helm, and a fake Cloudflare API; brings both up to date where they are there
  down                  end it
  status                say which clusters there are
  kubectl ARGUMENT…     the real kubectl, for the cluster
  helm ARGUMENT…        the real helm, for the cluster
  node COMMAND…         run a command inside the node
  build                 only build what is needed`;

/** Called wrongly: exit code 2. */
class Wrong extends Error {}

const begun = performance.now();

function progress(line: string): void {
  process.stderr.write(`[${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s] ${line}\n`);
}

const commands: Readonly<Record<string, (number: number, args: readonly string[]) => Promise<number>>> = {
  up,
  down,
  status,
  build,
  kubectl: (number, args) => program(number, ({ clients }) => [clients.kubectl, ...args]),
  helm: (number, args) => program(number, ({ clients }) => [clients.helm, ...args]),
  node: (number, args) => program(number, (cluster) => cluster.inside(args)),
};

async function up(number: number, args: readonly string[]): Promise<number> {
  const unknown = args.filter((arg) => !['--no-image', '--with-operator'].includes(arg));
  if (unknown.length > 0) throw new Wrong(`up knows no ${unknown.join(' ')}`);
  const withOperator = args.includes('--with-operator');
  const withImage = !args.includes('--no-image');
  if (withOperator && !withImage) throw new Wrong('--with-operator runs our image: leave --no-image out');
  const running = await runningCluster(number);
  if (running === undefined) whenInterrupted(() => clear(placeOf(number)));
  const cluster = running ?? (await startCluster({ number, outlives: true, ownImage: withImage, progress }));
  if (withOperator) await bringOperator(cluster, running !== undefined);
  console.log(`cluster ${number} is up\nexport KUBECONFIG=${cluster.kubeconfig}`);
  return 0;
}

/** A cluster that runs already may have an older image, or none. */
async function bringOperator(cluster: Cluster, isOld: boolean): Promise<void> {
  if (isOld) await cluster.importImage(await ownImage(progress));
  const operator = await installOperator(cluster);
  if (isOld) await operator.restart();
  progress('the operator is Available');
  console.log(`fake Cloudflare API: ${operator.cloudflare}/world/state`);
}

async function down(number: number): Promise<number> {
  needRoot();
  const there = isPresent(placeOf(number));
  await clear(placeOf(number));
  console.log(there ? `cluster ${number} is gone` : `there was no cluster ${number}`);
  return 0;
}

async function status(): Promise<number> {
  const places = Array.from({ length: highestNumber }, (_, at) => placeOf(at + 1)).filter((place) => isPresent(place));
  for (const place of places) {
    const { ready = false, owner, outlives } = readClaim(place) ?? {};
    const state = isTaken(place) ? (ready ? 'up' : 'starting') : 'left behind; "down" removes it';
    const whose = outlives === false ? `, ends with process ${owner?.pid}` : '';
    console.log(`cluster ${place.number}: ${state}${whose}  ${place.folder}`);
  }
  if (places.length === 0) console.log('no cluster is running');
  return 0;
}

async function build(_: number, args: readonly string[]): Promise<number> {
  await allPrograms(progress);
  await allParts(!args.includes('--no-image'), progress);
  return 0;
}

/** Runs a program on this terminal; its exit code becomes ours. */
async function program(number: number, command: (cluster: Cluster) => string[]): Promise<number> {
  const cluster = await runningCluster(number, progress);
  if (cluster === undefined) throw new Wrong(`cluster ${number} is not running; start it with: npm run cluster -- up`);
  const [file = '', ...args] = command(cluster);
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig };
  const child = spawn(file, args, { stdio: 'inherit', env });
  // The terminal sends the signal to both, and the program decides what it means.
  process.on('SIGINT', () => {});
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 143));
  });
}

function needRoot(): void {
  const reason = obstacle();
  if (reason !== undefined) throw new Wrong(reason);
}

function whenInterrupted(clearUp: () => Promise<void>): void {
  needRoot();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void clearUp().finally(() => process.exit(130)));
}

async function main(args: readonly string[]): Promise<number> {
  const numbered = args[0] === '--number';
  const number = numbered ? Number(args[1]) : 1;
  const [name = '', ...rest] = numbered ? args.slice(2) : args;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new Wrong(usage);
  placeOf(number);
  return command(number, rest);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof Wrong ? 2 : 1;
}
