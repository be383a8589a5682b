import { hostname } from 'node:os';
import { createDerivation } from '../derive/derive.ts';
import { createCloudflare } from '../effects/cloudflare/cloudflare.ts';
import { createEventWriter } from '../effects/kube/events.ts';
import { startElection, type Election } from '../effects/kube/election.ts';
import { fenced, type Term } from '../effects/kube/fence.ts';
import { objectStepText } from '../effects/kube/objectplan.ts';
import { createKubeClient, type KubeClient } from '../facts/cluster/client.ts';
import { reflectCluster, type ClusterFacts } from '../facts/cluster/cluster.ts';
import { loadConfig } from '../facts/cluster/credentials.ts';
import { createFactStore, type FactStore } from '../facts/store.ts';
import type { Logger } from '../observe/logger.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import type { OperatorConfig } from './config.ts';
import { startHealth } from './health.ts';
import { startLoop, type Loop } from './loop.ts';
import type { Parts } from './parts.ts';
import { planPlane } from './planework.ts';
import { watchedKinds } from './watchedkinds.ts';

/** Where the API server is: in a pod it is known, elsewhere a kubeconfig says so. */
export interface ClusterAccess {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface RunningOperator {
  isLeading(): boolean;
  /** Port of health and metrics. */
  readonly healthPort: number;
  /** Finishes what was begun, gives the Lease back, ends all watches. */
  stop(): Promise<void>;
}

interface Base {
  readonly config: OperatorConfig;
  readonly client: KubeClient;
  readonly store: FactStore;
  readonly cluster: ClusterFacts;
  readonly logger: Logger;
  readonly worked: Parts['worked'];
}

/** Starts to watch, stands for election, and works while it leads. Throws if the API server's address is not known or the port is taken. */
export async function startOperator(
  config: OperatorConfig,
  access: ClusterAccess,
  logger: Logger,
): Promise<RunningOperator> {
  const metrics = createMetrics({ process: true });
  const { sent, worked } = counters(metrics);
  const base = connect(config, access, { logger, worked, sent });
  let isSettled = false;
  void base.cluster.settled.then(() => (isSettled = true));
  let loop: Loop | undefined;
  metrics.sampled('gauge', { name: 'workqueue_depth', help: 'Keys waiting to be worked on.', labels: ['name'] }, () =>
    Object.entries(loop?.depth() ?? {}).map(([name, value]) => ({ labels: { name }, value })),
  );
  const election = elect(base, {
    async started(term) {
      await base.cluster.settled;
      if (term.isValid()) loop = startLoop(partsOf(base, term));
    },
    async stopped() {
      await loop?.stop();
      loop = undefined;
    },
  });
  metrics.sampled(
    'gauge',
    { name: 'leader_election_master_status', help: 'One while this replica leads.', labels: ['name'] },
    () => [{ labels: { name: config.leaderElection.name }, value: election.isLeading() ? 1 : 0 }],
  );
  const health = await startHealth({
    healthPort: config.healthPort,
    metricsPort: config.metricsPort,
    metrics,
    notReady: () => (isSettled ? undefined : 'the first look at the cluster is under way'),
  });
  return {
    isLeading: () => election.isLeading(),
    healthPort: health.port,
    async stop() {
      await election.stop();
      await base.cluster.stop();
      await health.close();
      await base.client.close();
    },
  };
}

/** What would be written now, one line a step, without writing anything. */
export async function planAll(
  config: OperatorConfig,
  access: ClusterAccess,
  logger: Logger,
): Promise<readonly string[]> {
  const base = connect(config, access, { logger, worked: () => undefined, sent: () => undefined });
  try {
    await base.cluster.settled;
    const parts = partsOf(base, undefined);
    parts.derivation.settle();
    return [...parts.derivation.planes().values()].flatMap((result) => {
      const plan = planPlane(parts, result);
      return [...(plan?.steps ?? []).map(objectStepText), ...(plan?.refusals ?? [])];
    });
  } finally {
    await base.cluster.stop();
    await base.client.close();
  }
}

type Sent = NonNullable<Parameters<typeof createKubeClient>[0]['sent']>;

interface Observers {
  readonly logger: Logger;
  readonly sent: Sent;
  readonly worked: Parts['worked'];
}

function connect(config: OperatorConfig, access: ClusterAccess, { logger, sent, worked }: Observers): Base {
  const client = createKubeClient({ load: () => loadConfig(access), sent });
  const store = createFactStore();
  store.set(config.settings);
  const cluster = reflectCluster({ client, store, logger, kinds: watchedKinds });
  return { config, client, store, cluster, logger, worked };
}

/** Under the names that dashboards of controllers already have. */
function counters(metrics: Metrics): { readonly sent: Sent; readonly worked: Parts['worked'] } {
  const requests = metrics.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to the Kubernetes API server.',
    labels: ['method', 'host', 'code'],
  });
  const total = metrics.counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Runs of work on a key, by how they ended.',
    labels: ['controller', 'result'],
  });
  const errors = metrics.counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Runs of work on a key that failed.',
    labels: ['controller'],
  });
  const seconds = metrics.histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'How long a run of work on a key took.',
    labels: ['controller'],
    bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  return {
    sent: (request) => requests({ ...request }),
    worked(controller, result, took) {
      total({ controller, result });
      if (result === 'error') errors({ controller });
      seconds(took, { controller });
    },
  };
}

/** A derivation of its own for each term: what was concluded while another led is concluded again. */
function partsOf({ config, client, store, cluster, logger, worked }: Base, term: Term | undefined): Parts {
  const ours = term === undefined ? client : fenced(client, term);
  return {
    store,
    derivation: createDerivation(store),
    client: ours,
    worked,
    events: createEventWriter({ client: ours, instance: hostname(), logger }),
    cluster,
    logger,
    maxConcurrentRollouts: config.maxConcurrentRollouts,
    cloudflare: createCloudflare({
      ...(config.cloudflareApi === undefined ? {} : { baseUrl: config.cloudflareApi }),
      ...(term === undefined ? {} : { signal: term.signal }),
    }),
    tokens: new Map(),
  };
}

interface Leading {
  started(term: Term): Promise<void>;
  stopped(): Promise<void>;
}

/** Without election this replica leads from the start: for one operator at a keyboard. */
function elect({ config, client, logger }: Base, leading: Leading): Election {
  const begin = (term: Term): void => {
    logger.info('leading');
    leading.started(term).catch((error: unknown) => logger.error('the loop cannot start', { error }));
  };
  if (!config.leaderElection.enabled) {
    const term = new AbortController();
    begin({ signal: term.signal, isValid: () => !term.signal.aborted });
    return {
      isLeading: () => !term.signal.aborted,
      async stop() {
        await leading.stopped();
        term.abort();
      },
    };
  }
  return startElection({
    client,
    logger,
    namespace: config.leaderElection.namespace,
    name: config.leaderElection.name,
    identity: `${hostname()}_${process.pid}_${Date.now().toString(36)}`,
    onStarted: begin,
    onStopped: async (why) => {
      logger.info('no longer leading', { why });
      await leading.stopped();
    },
  });
}
