/**
 * Where the API server is, who we are, and the connections to it. This is the one place where @kubernetes/client-node is used, and
 * where its measured defects are cured (field cases, part 3): it builds a new connection pool for each request, so we keep one and
 * replace it only when certificates change; it reads a token file each minute and not when the token is refused, so we do both;
 * its requests have no limit of time, its informer stops for good and its patches choose a wrong content type, so we use none of them.
 */
import { createHash } from 'node:crypto';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';

/** What a request needs. */
export interface Access {
  readonly server: string;
  /** Of authentication and impersonation. */
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
}

export interface AccessSource {
  /** The access of now; credentials are read again once they are a minute old. */
  current(): Promise<Access>;
  /** Reads everything anew: the API server refused who we said we were. */
  renew(): Promise<Access>;
  close(): Promise<void>;
}

/** Where the kubeconfig is: a file, or what the environment has (a pod's service account, then KUBECONFIG, then ~/.kube/config). */
export interface ConfigPlace {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Throws with a sentence if there is no cluster to speak to. */
export function loadConfig({ kubeconfig, context }: ConfigPlace = {}): KubeConfig {
  const config = new KubeConfig();
  if (kubeconfig !== undefined) config.loadFromFile(kubeconfig);
  else if (process.env['KUBERNETES_SERVICE_HOST'] !== undefined && process.env['KUBECONFIG'] === undefined)
    config.loadFromCluster();
  else config.loadFromDefault();
  if (context !== undefined) config.setCurrentContext(context);
  if (config.getCurrentCluster() === null) {
    const named = config.getCurrentContext();
    throw new Error(`the kubeconfig has no cluster for context ${named || '(none)'}; set current-context or name one`);
  }
  return config;
}

/** How long credentials are used before they are read again. Source: client-go, which does the same for token files. */
const lifetime = 60_000;

interface Held extends Access {
  readonly fingerprint: string;
  readonly readAt: number;
}

/** An access that stays fresh. `load` is called at the start and whenever the credentials were refused. */
export function accessTo(load: () => KubeConfig): AccessSource {
  let config = load();
  let held: Held | undefined;
  let reading: Promise<Held> | undefined;

  const read = async (): Promise<Held> => {
    const next = await readAccess(config, held);
    if (held !== undefined && held.dispatcher !== next.dispatcher) void held.dispatcher.close();
    held = next;
    return next;
  };
  // One reading at a time: a burst of requests must not open a burst of pools.
  const once = (): Promise<Held> => (reading ??= read().finally(() => (reading = undefined)));
  return {
    current: async () => (held !== undefined && performance.now() - held.readAt < lifetime ? held : once()),
    async renew() {
      await reading;
      config = load();
      return once();
    },
    close: async () => held?.dispatcher.destroy(),
  };
}

async function readAccess(config: KubeConfig, before: Held | undefined): Promise<Held> {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error('the kubeconfig has no current cluster');
  const context = new RequestContext(cluster.server, HttpMethod.GET);
  await config.applySecurityAuthentication(context);
  const tls: Parameters<KubeConfig['applyToHTTPSOptions']>[0] = {};
  await config.applyToHTTPSOptions(tls);
  const headers = context.getHeaders();
  const base = { server: cluster.server.replace(/\/+$/, ''), headers, readAt: performance.now() };
  const fingerprint = digest([base.server, cluster.proxyUrl, tls.ca, tls.cert, tls.key, tls.rejectUnauthorized]);
  const offered = context.getDispatcher();
  if (before?.fingerprint === fingerprint) {
    void offered?.close();
    return { ...base, fingerprint, dispatcher: before.dispatcher };
  }
  // Through a proxy only the client's own dispatcher knows the way.
  if (cluster.proxyUrl && offered !== undefined) return { ...base, fingerprint, dispatcher: offered };
  void offered?.close();
  const options = config.createDispatcherOptions(cluster, tls as Parameters<typeof config.createDispatcherOptions>[1]);
  const connect = options.type === 'agent' ? options.connect : {};
  return { ...base, fingerprint, dispatcher: pool(connect) };
}

/**
 * HTTP/1.1, one connection for each watch: a watch that hangs can then be cut without cutting the others. Idle connections are
 * closed after four seconds, so that a network that swallows packets is not met again on each of them.
 */
function pool(connect: object): Agent {
  return new Agent({
    allowH2: false,
    connections: 128,
    pipelining: 1,
    connect: { ...connect, timeout: 10_000 },
    keepAliveTimeout: 4000,
  });
}

function digest(parts: readonly unknown[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    hash.update(Buffer.isBuffer(part) ? part : (JSON.stringify(part) ?? ''));
    hash.update('\0');
  }
  return hash.digest('hex');
}
