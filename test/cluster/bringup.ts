/** The start of a cluster in its place, in the order in which the parts need each other. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from './build/cache.ts';
import { dnsImage } from './build/images.ts';
import type { Parts } from './build/parts.ts';
import { makeCgroups } from './cgroups.ts';
import { named, note } from './claim.ts';
import {
  apiServerArguments,
  controllerManagerArguments,
  etcdArguments,
  kubeletAccess,
  writeAuditPolicy,
} from './controlplane.ts';
import type { AuditLevel } from './controlplane.ts';
import { dnsObjects } from './dns.ts';
import { applyCrds, kubectlFor } from './kubectl.ts';
import type { Kubectl } from './kubectl.ts';
import { writeKubeletConfig, writeServiceProxyConfig } from './kubelet.ts';
import { launch, until } from './launch.ts';
import type { Program } from './launch.ts';
import { connect, openNode } from './node.ts';
import { writePki } from './pki/files.ts';
import type { Pki } from './pki/files.ts';
import type { Place } from './place.ts';
import { isReady } from './requests.ts';
import { importImage, isServing, writeRuntimeConfig } from './runtime.ts';

export interface Settled {
  readonly outlives: boolean;
  readonly audit: AuditLevel | undefined;
  readonly progress: Progress;
}

/** What the steps share. */
interface Site {
  readonly place: Place;
  readonly parts: Parts;
  readonly pki: Pki;
  readonly kubectl: Kubectl;
  /** Starts a program inside the node. */
  readonly start: (folder: string, name: string, args: readonly string[]) => Program;
  readonly settled: Settled;
}

/** Brings everything up. When this fails, `clear` of the place takes away what was begun. */
export async function bringUp(place: Place, parts: Parts, settled: Settled): Promise<void> {
  const begun = performance.now();
  const lap = (what: string) => (): void =>
    settled.progress(`${((performance.now() - begun) / 1000).toFixed(1).padStart(5)} s  ${what}`);
  const logs = join(place.folder, 'logs');
  mkdirSync(logs);
  const { outlives } = settled;
  const node = await openNode(place, parts.pause, outlives);
  const claim = { owner: named(process.pid), outlives, init: named(node.init), keeper: named(node.keeper.pid) };
  note(place, claim);
  await connect(place, node);
  makeCgroups(place.cgroup);
  const env = { ...process.env, PATH: [parts.containerd, process.env['PATH'], '/usr/sbin', '/sbin'].join(':') };
  const pki = pkiOf(place);
  const site: Site = {
    place,
    parts,
    pki,
    kubectl: kubectlFor(parts.clients.kubectl, pki.kubeconfigs.admin),
    start: (folder, name, args) => launch(node.inside([join(folder, name), ...args]), { name, logs, env, outlives }),
    settled,
  };
  await Promise.all([
    startControlPlane(site).then(lap('API server')),
    startRuntime(site).then(lap('container runtime')),
  ]);
  const { ctr, images } = { ctr: join(parts.containerd, 'ctr'), images: laterImages(parts) };
  const bring = async (): Promise<void> => {
    for (const image of images) await importImage(place, ctr, image);
  };
  await Promise.all([
    startNode(site).then(lap('node and DNS')),
    bring().then(lap('images')),
    applyCrds(site.kubectl, parts.crds).then(lap('CRDs')),
  ]);
  note(place, { ...claim, ready: true });
}

function pkiOf(place: Place): Pki {
  const names = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'localhost'];
  return writePki(join(place.folder, 'pki'), place.url, [...names, '127.0.0.1', place.address, place.apiService]);
}

/** Those that nothing of the cluster itself runs. */
function laterImages({ images, ownImage }: Parts): string[] {
  return [images.echo, images.connector, ...(ownImage === undefined ? [] : [ownImage])];
}

async function startControlPlane({ place, parts, pki, start, settled }: Site): Promise<void> {
  const ports = { port: 2379, peerPort: 2380 };
  const etcd = start(parts.etcd, 'etcd', etcdArguments({ data: join(place.folder, 'etcd'), ...ports }));
  const { address: advertise, services } = place;
  const server = start(parts.kubernetes, 'kube-apiserver', [
    ...apiServerArguments({ pki, etcdPort: ports.port, port: 6443, advertise, services }),
    ...kubeletAccess(pki),
    ...(settled.audit === undefined ? [] : writeAuditPolicy(place.folder, settled.audit)),
  ]);
  await until(() => isReady(place.url, pki.admin), { what: 'the API server', programs: [etcd, server] });
  start(parts.kubernetes, 'kube-controller-manager', [
    ...controllerManagerArguments(pki),
    '--allocate-node-cidrs',
    `--cluster-cidr=${place.pods.replace('/24', '/16')}`,
  ]);
  start(parts.kubernetes, 'kube-scheduler', [
    `--kubeconfig=${pki.kubeconfigs['kube-scheduler']}`,
    '--leader-elect=false',
  ]);
}

/** With the images that the first pods need. */
async function startRuntime({ place, parts, start }: Site): Promise<void> {
  const runtime = start(parts.containerd, 'containerd', writeRuntimeConfig(place, parts.cni));
  const ctr = join(parts.containerd, 'ctr');
  await until(() => isServing(place, ctr), { what: 'the container runtime', programs: [runtime] });
  for (const image of [parts.images.pause, parts.images.coredns]) await importImage(place, ctr, image);
}

async function startNode({ place, parts, pki, kubectl, start }: Site): Promise<void> {
  const kubelet = start(parts.kubernetes, 'kubelet', writeKubeletConfig(place, pki));
  const proxy = start(parts.kubernetes, 'kube-proxy', writeServiceProxyConfig(place, pki));
  const programs = [kubelet, proxy];
  await kubectl(['apply', '--server-side', '-f', '-'], dnsObjects(dnsImage, place.dns));
  const wait = (object: string, condition: string) => async (): Promise<boolean> => {
    await kubectl(['-n', 'kube-system', 'wait', `--for=${condition}`, object, '--timeout=5s']);
    return true;
  };
  await until(wait('node/node', 'condition=Ready'), { what: 'the node', programs });
  await until(wait('deployment/coredns', 'condition=Available'), { what: "the cluster's DNS", programs });
  await until(wait('serviceaccount/default', 'create'), { what: 'the service accounts', programs });
}
