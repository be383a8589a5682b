import type { Derivation } from '../derive/derive.ts';
import type { Cloudflare } from '../effects/cloudflare/cloudflare.ts';
import type { TunnelToken } from '../effects/cloudflare/observed.ts';
import type { EventWriter } from '../effects/kube/events.ts';
import type { KubeClient } from '../facts/cluster/client.ts';
import type { ClusterFacts } from '../facts/cluster/cluster.ts';
import type { FactStore } from '../facts/store.ts';
import type { Logger } from '../observe/logger.ts';

/** What the operator's kinds of work share. */
export interface Parts {
  readonly store: FactStore;
  readonly derivation: Derivation;
  readonly client: KubeClient;
  readonly cluster: ClusterFacts;
  readonly cloudflare: Cloudflare;
  readonly logger: Logger;
  readonly events: EventWriter;
  /** Counts one run of one key: for metrics. */
  readonly worked: (work: string, result: 'success' | 'error' | 'requeue_after', seconds: number) => void;
  /** Planes worked on at one time. */
  readonly maxConcurrentRollouts: number;
  /** Connector tokens by plane, as Cloudflare last gave them. Never logged, never a fact. */
  readonly tokens: Map<string, TunnelToken>;
}
