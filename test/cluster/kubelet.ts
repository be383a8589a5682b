/** The kubelet and the proxy of Services. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pki } from './pki/files.ts';
import type { Place } from './place.ts';
import { runtimeSocket } from './runtime.ts';

/** Writes the kubelet's configuration; gives its arguments. */
export function writeKubeletConfig(place: Place, { kubelet, ca, kubeconfigs }: Pki): string[] {
  const config = join(place.folder, 'kubelet.json');
  const document = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${runtimeSocket(place)}`,
    failCgroupV1: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${place.cgroup}`,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: ca.certificate },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: kubelet.certificate,
    tlsPrivateKeyFile: kubelet.key,
    failSwapOn: false,
    localStorageCapacityIsolation: false,
    // The disk is the machine's and may be nearly full without any fault of the cluster.
    evictionHard: {
      'memory.available': '50Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
      'nodefs.inodesFree': '1%',
    },
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    podLogsDir: join(place.folder, 'pod-logs'),
    resolvConf: '',
    clusterDNS: [place.dns],
    clusterDomain: 'cluster.local',
    // Its defaults, 50 and 5 a second, are for a node that shares its API server with thousands.
    kubeAPIQPS: 500,
    kubeAPIBurst: 500,
    serializeImagePulls: false,
  };
  writeFileSync(config, JSON.stringify(document));
  return [
    `--config=${config}`,
    `--kubeconfig=${kubeconfigs.kubelet}`,
    '--hostname-override=node',
    `--node-ip=${place.address}`,
    `--root-dir=${join(place.folder, 'kubelet')}`,
    `--cert-dir=${join(place.folder, 'kubelet-certificates')}`,
  ];
}

/** Writes the service proxy's configuration; gives its arguments. */
export function writeServiceProxyConfig(place: Place, { kubeconfigs }: Pki): string[] {
  const config = join(place.folder, 'kube-proxy.json');
  const document = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'nftables',
    clientConnection: { kubeconfig: kubeconfigs['kube-proxy'] },
    clusterCIDR: place.pods,
    hostnameOverride: 'node',
    // These would set the machine's own limits.
    conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
    nftables: { minSyncPeriod: '100ms' },
  };
  writeFileSync(config, JSON.stringify(document));
  return [`--config=${config}`];
}
