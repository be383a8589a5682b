/**
 * The node: a process, mount and network namespace around a first process that does nothing. All parts of the cluster enter it; when its first
 * process is killed, the kernel ends everything in it. One link leads in, and no route leads further than the other end of that link.
 */
import { join } from 'node:path';
import { find, run } from './command.ts';
import { launch, until } from './launch.ts';
import type { Program } from './launch.ts';
import type { Place } from './place.ts';
import { childrenOf } from './processes.ts';

export interface ClusterNode {
  /** The first process, and the one that watches over it. */
  readonly init: number;
  readonly keeper: Program;
  /** The command that runs another inside the node. */
  readonly inside: (command: readonly string[]) => string[];
}

/** The command that runs another inside the node with this first process, in a folder that the machine and the node share. */
export function enter(init: number, command: readonly string[], folder = '/'): string[] {
  return ['nsenter', '--target', String(init), '--net', '--mount', '--pid', `--wdns=${folder}`, '--', ...command];
}

/** Makes the node of a place. `pause` is the path of its first program. */
export async function openNode(place: Place, pause: string, outlives: boolean): Promise<ClusterNode> {
  const logs = join(place.folder, 'logs');
  const namespaces = ['--net', '--mount', '--pid', '--propagation', 'private'];
  const ending = ['--fork', '--kill-child', '--mount-proc'];
  const keeper = launch(['unshare', ...namespaces, ...ending, pause], { name: 'node', logs, outlives });
  let init = 0;
  await until(
    () => {
      init = childrenOf(keeper.pid)[0] ?? 0;
      return init > 0;
    },
    { what: 'the first process of the node', programs: [keeper], limit: 10 },
  );
  return { init, keeper, inside: (command) => enter(init, command) };
}

/** Connects the node with the machine. The routes on the machine's side belong to the link, and go with it. */
export async function connect(place: Place, { init, inside }: ClusterNode): Promise<void> {
  const { link, outside, address, pods, services } = place;
  await run('ip', ['-batch', '-'], {
    input: lines(
      `link add ${link} type veth peer name eth0 netns ${init}`,
      `address add ${outside}/24 dev ${link}`,
      `link set ${link} up`,
    ),
  });
  const [command = '', ...args] = inside(['sh', '-ec', await script(address, pods, services)]);
  await run(command, args);
  await run('ip', ['-batch', '-'], {
    input: lines(`route add ${pods} via ${address} dev ${link}`, `route add ${services} via ${address} dev ${link}`),
  });
}

async function script(address: string, pods: string, services: string): Promise<string> {
  const nft = find('nft') ?? 'nft';
  return lines(
    // Where the runtime, its plugins and the kubelet keep things by fixed names; the machine's own stay as they are, and out of sight.
    `mkdir -p ${hidden.join(' ')}`,
    ...hidden.map((folder) => `mount -t tmpfs node ${folder}`),
    'mkdir -p /run/netns',
    'ip link set lo up',
    `ip address add ${address}/24 dev eth0`,
    'ip link set eth0 up',
    'echo 1 >/proc/sys/net/ipv4/ip_forward',
    // Without any route the kernel refuses to dial an address before the service proxy sees it.
    `ip route add ${services} dev eth0`,
    // What a pod sends to the machine comes from the node, for the machine knows to answer it whether or not it has a route to pods.
    `${nft} 'table ip cfgw { chain out { type nat hook postrouting priority srcnat; ip saddr ${pods} oifname "eth0" masquerade; }; }'`,
  );
}

const hidden = ['/run', '/var/log', '/var/lib/cni', '/var/lib/kubelet'];

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
