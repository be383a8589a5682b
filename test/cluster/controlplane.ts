/** How the parts of the control plane are started: the arguments, and why each that is not plain. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pki } from './pki/files.ts';

interface EtcdPlace {
  readonly data: string;
  readonly port: number;
  readonly peerPort: number;
}

/** etcd as the only one of its kind, for data nobody will miss. */
export function etcdArguments({ data, port, peerPort }: EtcdPlace): string[] {
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${peers}`,
    `--initial-advertise-peer-urls=${peers}`,
    `--initial-cluster=default=${peers}`,
    // A crash of the machine ends the cluster anyhow.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

interface ApiServerPlace {
  readonly pki: Pki;
  readonly etcdPort: number;
  readonly port: number;
  readonly advertise: string;
  readonly services: string;
}

/** The API server, with the authorizers and the admission a cluster has. */
export function apiServerArguments({ pki, etcdPort, port, advertise, services }: ApiServerPlace): string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    `--advertise-address=${advertise}`,
    `--secure-port=${port}`,
    `--service-cluster-ip-range=${services}`,
    `--client-ca-file=${pki.ca.certificate}`,
    `--tls-cert-file=${pki.apiServer.certificate}`,
    `--tls-private-key-file=${pki.apiServer.key}`,
    `--service-account-key-file=${pki.serviceAccounts.publicKey}`,
    `--service-account-signing-key-file=${pki.serviceAccounts.key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
  ];
}

/** How the API server reaches the kubelet, for logs and exec. */
export function kubeletAccess({ kubeletClient, ca }: Pki): string[] {
  return [
    `--kubelet-client-certificate=${kubeletClient.certificate}`,
    `--kubelet-client-key=${kubeletClient.key}`,
    `--kubelet-certificate-authority=${ca.certificate}`,
    '--kubelet-preferred-address-types=InternalIP',
    '--allow-privileged',
  ];
}

/** Levels of the audit log, from the time and verb of a request to its body and its answer's. */
export type AuditLevel = 'Metadata' | 'Request' | 'RequestResponse';

/** Name of the audit log in the folder it is written to. */
export const auditLog = 'audit.log';

/** An audit log with a line of JSON for each answered request: writes the policy that says so, and gives the API server's arguments. */
export function writeAuditPolicy(folder: string, level: AuditLevel): string[] {
  const policy = join(folder, 'audit-policy.json');
  const document = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    rules: [{ level }],
  };
  writeFileSync(policy, JSON.stringify(document));
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, auditLog)}`];
}

/** The controllers, without a choice of a leader: there is one. */
export function controllerManagerArguments({ kubeconfigs, serviceAccounts, ca }: Pki): string[] {
  return [
    `--kubeconfig=${kubeconfigs['kube-controller-manager']}`,
    `--service-account-private-key-file=${serviceAccounts.key}`,
    `--root-ca-file=${ca.certificate}`,
    `--cluster-signing-cert-file=${ca.certificate}`,
    `--cluster-signing-key-file=${ca.key}`,
    '--use-service-account-credentials',
    '--leader-elect=false',
  ];
}
