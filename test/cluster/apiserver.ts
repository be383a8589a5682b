/**
 * A real API server with its etcd and nothing else, for tests that ask what it accepts, stores and watches. It needs no root and is ready in a
 * few seconds; several may run at once.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Progress } from './build/cache.ts';
import { clients } from './build/clients.ts';
import { programsOf } from './build/programs.ts';
import {
  apiServerArguments,
  auditLog,
  controllerManagerArguments,
  etcdArguments,
  writeAuditPolicy,
} from './controlplane.ts';
import type { AuditLevel } from './controlplane.ts';
import { applyCrds, kubectlFor } from './kubectl.ts';
import type { Kubectl } from './kubectl.ts';
import { launch, until } from './launch.ts';
import type { Program } from './launch.ts';
import { ownFolder } from './leftovers.ts';
import { writePki } from './pki/files.ts';
import type { Pki } from './pki/files.ts';
import { isReady } from './requests.ts';

export interface ApiServerOptions {
  /** Whether the CRDs of the Gateway API (experimental channel) and our own are there; true if absent. */
  readonly crds?: boolean;
  /**
   * Controllers that run beside it, by their names in kube-controller-manager; none if absent. Without `namespace-controller` a namespace stays
   * Terminating, without `garbage-collector-controller` nothing is deleted with its owner.
   */
  readonly controllers?: readonly string[];
  /** Writes an audit log. */
  readonly audit?: AuditLevel;
  /** Further arguments of kube-apiserver. */
  readonly arguments?: readonly string[];
  /** Hears what is being built, if something is. */
  readonly progress?: Progress;
}

export interface ApiServer {
  readonly url: string;
  /** Path of a kubeconfig that may do everything and holds all it needs. */
  readonly kubeconfig: string;
  /** A temporary folder; what a test puts there is gone after `stop`. */
  readonly folder: string;
  /** Path of the audit log, if one was asked for: a line of JSON for each answered request. */
  readonly audit: string;
  readonly kubectl: Kubectl;
  /** Freezes the API server: connections stay open and nobody answers. */
  pause(): void;
  resume(): void;
  /** Kills the API server and starts it again at the same address, with the same data; returns when it is ready. */
  restart(): Promise<void>;
  /** Ends everything and removes the folder. */
  stop(): Promise<void>;
}

/** Nobody dials it; the API server refuses to start without one. Source: RFC 5737. */
const advertise = '198.51.100.1';
const services = '10.96.0.0/16';

/** Starts one. What it needs is built first where the cache lacks it. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const { progress = () => {} } = options;
  const programs = {
    kubernetes: await programsOf('kubernetes', progress),
    etcd: await programsOf('etcd', progress),
    crds: join(await programsOf('gateway-api', progress), 'crds'),
    kubectl: (await clients(progress)).kubectl,
  };
  const folder = ownFolder('cfgw-apiserver');
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((program) => program.end()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await startIn(folder, programs, options, running)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Programs {
  readonly kubernetes: string;
  readonly etcd: string;
  readonly crds: string;
  readonly kubectl: string;
}

/** Starts the parts; `running` always holds those there are, also when this fails. */
async function startIn(
  folder: string,
  programs: Programs,
  options: ApiServerOptions,
  running: Program[],
): Promise<Omit<ApiServer, 'stop'>> {
  const [etcdPort = 0, peerPort = 0, port = 0, managerPort = 0] = await freePorts(4);
  const url = `https://127.0.0.1:${port}`;
  const pki = writePki(join(folder, 'pki'), url, ['localhost', '127.0.0.1', '10.96.0.1']);
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const start = (name: string, path: string, args: readonly string[]): Program => {
    const program = launch([join(path, name), ...args], { name, logs });
    running.push(program);
    return program;
  };
  start('etcd', programs.etcd, etcdArguments({ data: join(folder, 'etcd'), port: etcdPort, peerPort }));
  const args = [
    ...apiServerArguments({ pki, etcdPort, port, advertise, services }),
    ...alone,
    ...(options.audit === undefined ? [] : writeAuditPolicy(folder, options.audit)),
    ...(options.arguments ?? []),
  ];
  let server: Program;
  const serve = async (): Promise<void> => {
    server = start('kube-apiserver', programs.kubernetes, args);
    await until(() => isReady(url, pki.admin), { what: 'the API server', programs: running });
  };
  await serve();
  const manager = managerArguments(pki, managerPort, options.controllers);
  if (manager !== undefined) start('kube-controller-manager', programs.kubernetes, manager);
  const kubeconfig = pki.kubeconfigs.admin;
  const kubectl = kubectlFor(programs.kubectl, kubeconfig);
  if (options.crds !== false) await applyCrds(kubectl, programs.crds);
  return {
    url,
    kubeconfig,
    folder,
    audit: join(folder, auditLog),
    kubectl,
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
    async restart() {
      await server.end();
      running.splice(running.indexOf(server), 1);
      await serve();
    },
  };
}

/** What differs from an API server in a cluster. */
const alone = [
  '--bind-address=127.0.0.1',
  // There is no second one to agree with on who serves "kubernetes".
  '--endpoint-reconciler-type=none',
  // Nobody makes the service accounts that pods would be given.
  '--disable-admission-plugins=ServiceAccount',
];

function managerArguments(pki: Pki, port: number, controllers: readonly string[] = []): string[] | undefined {
  if (controllers.length === 0) return undefined;
  const own = [`--controllers=${controllers.join(',')}`, `--secure-port=${port}`, '--bind-address=127.0.0.1'];
  return [...controllerManagerArguments(pki), ...own];
}

/** Ports nobody listens on; asked for together, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve, reject) => void server.on('error', reject).listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
