/** The files with which the parts of a control plane know each other. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authority, issue } from './certificate.ts';
import type { Identity, Subject } from './certificate.ts';

/** The parts that talk to the API server, and who they are to it. */
const users = {
  admin: { commonName: 'admin', organization: 'system:masters' },
  'kube-controller-manager': { commonName: 'system:kube-controller-manager' },
  'kube-scheduler': { commonName: 'system:kube-scheduler' },
  'kube-proxy': { commonName: 'system:kube-proxy' },
  kubelet: { commonName: 'system:node:node', organization: 'system:nodes' },
} satisfies Record<string, Subject>;

export type User = keyof typeof users;

/** Paths of the files, all below one folder. */
export interface Pki {
  /** Certificate of the authority everything here is signed by, and its key. */
  readonly ca: { readonly certificate: string; readonly key: string };
  readonly apiServer: { readonly certificate: string; readonly key: string };
  /** Who the API server is to the kubelet. */
  readonly kubeletClient: { readonly certificate: string; readonly key: string };
  readonly kubelet: { readonly certificate: string; readonly key: string };
  /** With which tokens of service accounts are signed. */
  readonly serviceAccounts: { readonly publicKey: string; readonly key: string };
  readonly kubeconfigs: Readonly<Record<User, string>>;
  /** For requests of our own, by node:https. */
  readonly admin: Identity & { readonly ca: string };
}

/** Makes all of it. `names` are the DNS names and addresses by which the API server and the kubelet are called. */
export function writePki(folder: string, url: string, names: readonly string[]): Pki {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const write = (name: string, content: string): string => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const identity = (name: string, { certificate, key }: Identity): { certificate: string; key: string } => ({
    certificate: write(`${name}.crt`, certificate),
    key: write(`${name}.key`, key),
  });
  const ca = authority('cluster');
  const people = Object.entries(users).map(([name, subject]) => [name as User, issue(ca, subject)] as const);
  const config = ([name, user]: (typeof people)[number]): [User, string] => [
    name,
    write(`${name}.kubeconfig`, kubeconfig(url, ca.certificate, user)),
  ];
  const tokens = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const admin = people.find(([name]) => name === 'admin')?.[1] as Identity;
  return {
    ca: identity('ca', ca),
    apiServer: identity('kube-apiserver', issue(ca, { commonName: 'kube-apiserver' }, names)),
    kubeletClient: identity(
      'kubelet-client',
      issue(ca, { commonName: 'kube-apiserver-kubelet', organization: 'system:masters' }),
    ),
    kubelet: identity('kubelet', issue(ca, users.kubelet, ['node', ...names])),
    serviceAccounts: {
      publicKey: write('service-accounts.pub', tokens.publicKey.export({ type: 'spki', format: 'pem' })),
      key: write('service-accounts.key', tokens.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    },
    kubeconfigs: Object.fromEntries(people.map(config)) as Record<User, string>,
    admin: { ...admin, ca: ca.certificate },
  };
}

/** A kubeconfig that holds all it needs; JSON is YAML. */
function kubeconfig(server: string, ca: string, { certificate, key }: Identity): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const name = 'cluster';
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: [{ name, user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
