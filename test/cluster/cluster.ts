/**
 * A real Kubernetes of one node on this machine: etcd, API server, controllers, scheduler, container runtime, kubelet, service proxy, DNS, all in
 * namespaces of their own. Needs Linux and root.
 */
import { join } from 'node:path';
import { bringUp } from './bringup.ts';
import type { Progress } from './build/cache.ts';
import { clients } from './build/clients.ts';
import { obstacle } from './build/debian.ts';
import { allParts } from './build/parts.ts';
import { programsOf } from './build/programs.ts';
import { claim, clear, isTaken, readClaim } from './claim.ts';
import { run } from './command.ts';
import type { CommandOptions } from './command.ts';
import { auditLog } from './controlplane.ts';
import type { AuditLevel } from './controlplane.ts';
import { kubectlFor } from './kubectl.ts';
import type { Kubectl } from './kubectl.ts';
import { enter } from './node.ts';
import { placeOf } from './place.ts';
import type { Place } from './place.ts';
import { importImage } from './runtime.ts';

export interface ClusterOptions {
  /** 1 to 50; the first free one from 2 on if absent. Two clusters at once have two numbers. */
  readonly number?: number;
  /** Whether it goes on after this process has ended; false if absent. */
  readonly outlives?: boolean;
  /** Whether our own image is built from the Dockerfile and there; false if absent, for that takes a compilation of the programs. */
  readonly ownImage?: boolean;
  /** Writes an audit log. */
  readonly audit?: AuditLevel;
  /** Hears what is being done. */
  readonly progress?: Progress;
}

export interface Cluster {
  readonly number: number;
  /** URL of the API server, which answers on this machine as well as in the cluster. */
  readonly url: string;
  /** Path of a kubeconfig that may do everything and holds all it needs. */
  readonly kubeconfig: string;
  /** All the cluster keeps; `logs` in it has a file for each part. Gone after `stop`. */
  readonly folder: string;
  /** Path of the audit log, if one was asked for: a line of JSON for each answered request. */
  readonly audit: string;
  /** Address of this machine as pods see it: what listens here can be dialled by them. Pods and Services can be dialled from this machine. */
  readonly outside: string;
  /** Address of the cluster's DNS. */
  readonly dns: string;
  readonly kubectl: Kubectl;
  /** Paths of the programs kubectl and helm, for a kubeconfig of the caller's choice. */
  readonly clients: Readonly<Record<'kubectl' | 'helm', string>>;
  /** The command that runs another inside the node, where pods, Services and their names can be dialled as pods dial them, in this process's folder. */
  inside(command: readonly string[]): string[];
  /** Runs a program inside the node to its end and gives its standard output. Throws if its exit code is not 0. */
  inNode(command: readonly string[], options?: CommandOptions): Promise<string>;
  /** Brings the images of an archive (OCI layout or docker-archive) into the runtime. */
  importImage(archive: string): Promise<void>;
  /** Ends everything and removes all it left. */
  stop(): Promise<void>;
}

/** Starts a cluster: returns when node and DNS are ready, the CRDs are served and the images are there. What it needs is built first where the cache lacks it. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { progress = () => {}, outlives = false } = options;
  const reason = obstacle();
  if (reason !== undefined) throw new Error(reason);
  const parts = await allParts(options.ownImage === true, progress);
  const place = await claim(options.number, outlives);
  try {
    await bringUp(place, parts, { outlives, audit: options.audit, progress });
    return handle(place, parts.clients, parts.containerd);
  } catch (error) {
    await clear(place);
    throw error;
  }
}

/** What is known of a running cluster from its place alone. */
function handle(place: Place, clients: Cluster['clients'], containerd: string): Cluster {
  const { number, url, folder, outside, dns } = place;
  const kubeconfig = join(folder, 'pki', 'admin.kubeconfig');
  const inside = (command: readonly string[]): string[] => enter(initOf(place), command, process.cwd());
  return {
    number,
    url,
    kubeconfig,
    folder,
    audit: join(folder, auditLog),
    outside,
    dns,
    kubectl: kubectlFor(clients.kubectl, kubeconfig),
    clients,
    inside,
    inNode: async (command, options) => {
      const [file = '', ...args] = inside(command);
      return run(file, args, options);
    },
    importImage: (archive) => importImage(place, join(containerd, 'ctr'), archive),
    stop: () => clear(place),
  };
}

function initOf(place: Place): number {
  const init = isTaken(place) ? readClaim(place)?.init : undefined;
  if (init === undefined) throw new Error(`cluster ${place.number} is not running`);
  return init.pid;
}

/** A cluster that somebody started; undefined if there is none of this number, or it is not all up. */
export async function runningCluster(number: number, progress: Progress = () => {}): Promise<Cluster | undefined> {
  const place = placeOf(number);
  if (!isTaken(place) || readClaim(place)?.ready !== true) return undefined;
  return handle(place, await clients(progress), await programsOf('containerd', progress));
}
