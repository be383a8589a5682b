/** The container runtime and the network of pods. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, run } from './command.ts';
import type { Place } from './place.ts';

/** Name of the image every pod begins with. */
export const pauseImage = 'registry.test/pause:1';

const plugins = { images: "plugins.'io.containerd.cri.v1.images'", runtime: "plugins.'io.containerd.cri.v1.runtime'" };

/** What a node without such file systems, devices and drivers logs errors about. */
const unused = [
  'io.containerd.snapshotter.v1.btrfs',
  'io.containerd.snapshotter.v1.zfs',
  'io.containerd.snapshotter.v1.devmapper',
  'io.containerd.snapshotter.v1.erofs',
  'io.containerd.internal.v1.opt',
  'io.containerd.nri.v1.nri',
];

/** Path of the socket on which the runtime of a place listens. */
export const runtimeSocket = ({ folder }: Place): string => join(folder, 'containerd.sock');

/** Writes what the runtime and its network plugin read; gives the runtime's arguments. */
export function writeRuntimeConfig(place: Place, cni: string): string[] {
  const [config, networks] = [join(place.folder, 'containerd.toml'), join(place.folder, 'cni')];
  mkdirSync(networks);
  writeFileSync(join(networks, '10-pods.conflist'), JSON.stringify(podNetwork(place)));
  const runc = `${plugins.runtime}.containerd.runtimes.runc`;
  const sections: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['grpc', { address: runtimeSocket(place) }],
    ['ttrpc', { address: `${runtimeSocket(place)}.ttrpc` }],
    [plugins.images, { snapshotter: 'overlayfs' }],
    [`${plugins.images}.pinned_images`, { sandbox: pauseImage }],
    // In a container or a small virtual machine, root may lack the right to protect a process from the out-of-memory killer.
    [plugins.runtime, { restrict_oom_score_adj: true }],
    [`${plugins.runtime}.cni`, { bin_dirs: [cni], conf_dir: networks }],
    [runc, { runtime_type: 'io.containerd.runc.v2' }],
    [`${runc}.options`, { SystemdCgroup: false }],
  ];
  const head = {
    version: 3,
    root: join(place.folder, 'containerd'),
    state: join(place.folder, 'run'),
    disabled_plugins: unused,
  };
  writeFileSync(
    config,
    [assignments(head), ...sections.map(([name, values]) => `[${name}]\n${assignments(values)}`)].join('\n'),
  );
  return ['--config', config];
}

/** TOML writes such values as JSON does. */
function assignments(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    .join('');
}

function podNetwork({ folder, pods }: Place): object {
  const ipam = {
    type: 'host-local',
    ranges: [[{ subnet: pods }]],
    routes: [{ dst: '0.0.0.0/0' }],
    dataDir: join(folder, 'addresses'),
  };
  // A pod that dials its own Service comes back through the port it left by.
  const bridge = { type: 'bridge', bridge: 'cni0', isGateway: true, ipMasq: false, hairpinMode: true, ipam };
  return { cniVersion: '1.0.0', name: 'pods', plugins: [bridge] };
}

const ctrArguments = (place: Place): string[] => ['--address', runtimeSocket(place), '--namespace', 'k8s.io'];

/** Whether the runtime answers. */
export async function isServing(place: Place, ctr: string): Promise<boolean> {
  return (await attempt(ctr, [...ctrArguments(place), 'version'])).code === 0;
}

/** Brings the images of an archive into the runtime, under the names they have there. */
export async function importImage(place: Place, ctr: string, archive: string): Promise<void> {
  await run(ctr, [...ctrArguments(place), 'images', 'import', archive]);
}
