/** The real API server that the tests of this folder share; those that freeze or restart theirs start one of their own. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import { createKubeClient, type KubeClient, type SentRequest } from '../../src/facts/cluster/client.ts';
import { loadConfig } from '../../src/facts/cluster/credentials.ts';
import { knownKind } from '../../src/facts/cluster/kinds.ts';
import { listObjects } from '../../src/facts/cluster/reads.ts';
import type { KubeObject } from '../../src/facts/object.ts';
import { startApiServer, type ApiServer } from '../cluster/apiserver.ts';

let shared: Promise<ApiServer> | undefined;

export function sharedServer(): Promise<ApiServer> {
  return (shared ??= startApiServer());
}

after(async () => (await shared)?.stop());

/** A client, and what it sent. */
export interface TestClient extends KubeClient {
  readonly sent: SentRequest[];
  /** Requests since the last call that were not reads. */
  writes(): number;
}

export function clientOf(server: ApiServer, change: (config: KubeConfig) => void = () => {}): TestClient {
  const sent: SentRequest[] = [];
  const load = (): KubeConfig => {
    const config = loadConfig({ kubeconfig: server.kubeconfig });
    change(config);
    return config;
  };
  const client = createKubeClient({ load, sent: (request) => sent.push(request) });
  let seen = 0;
  return {
    ...client,
    sent,
    writes() {
      const since = sent.slice(seen);
      seen = sent.length;
      return since.filter(({ method }) => method !== 'GET').length;
    },
  };
}

/** Waits until `check` holds; mocha's limit of time ends what never does. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await check())) await sleep(20);
}

let namespaces = 0;

/** A namespace of its own for a test. */
export async function newNamespace(server: ApiServer): Promise<string> {
  namespaces += 1;
  const name = `test-${process.pid}-${namespaces}`;
  await server.kubectl(['create', 'namespace', name]);
  return name;
}

/** All objects of these kinds in a namespace, as a reflector keeps them of kinds that are written. */
export async function observedIn(
  client: KubeClient,
  namespace: string,
  kinds: readonly string[],
): Promise<readonly KubeObject[]> {
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const resource = knownKind(kind);
      const { objects } = await listObjects(client, resource, { namespace });
      return objects.map((object) => ({ ...object, apiVersion: resource.apiVersion, kind }));
    }),
  );
  return lists.flat();
}

/** An object as JSON, for kubectl. */
export function manifest(kind: string, namespace: string, name: string, rest: object = {}): KubeObject {
  const { apiVersion } = knownKind(kind);
  return { apiVersion, kind, metadata: { namespace, name }, ...rest };
}
