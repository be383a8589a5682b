/** The cluster as a source of facts: every kind that is asked for, kept in the store as the API server has it. */
import { silentLogger, type Logger } from '../../observe/logger.ts';
import type { KubeObject } from '../object.ts';
import type { FactStore } from '../store.ts';
import type { KubeClient } from './client.ts';
import { createReflection, type Reflection } from './reflection.ts';
import {
  reflectorTimes,
  startReflector,
  type Reflector,
  type ReflectorState,
  type ReflectorTimes,
} from './reflector.ts';
import { groupOf } from './resource.ts';
import type { WatchedKind } from './watchedkind.ts';

export interface ClusterFacts {
  /** Resolves once each kind had its first answer: a list, that it is not served, or that it is refused or fails for long. */
  readonly settled: Promise<void>;
  /** By kind, how it is doing. */
  states(): ReadonlyMap<string, ReflectorState>;
  /** Takes in the answer to a write of ours, so that the next plan sees it before the watch tells of it. Passes over kinds not kept. */
  observe(object: KubeObject): void;
  /** Ends all watches; the store keeps what it has. */
  stop(): Promise<void>;
}

export interface ClusterFactsOptions {
  readonly client: KubeClient;
  readonly store: FactStore;
  /** Each kind once. */
  readonly kinds: readonly WatchedKind[];
  readonly logger?: Logger;
  readonly times?: Partial<ReflectorTimes>;
}

const definitions = 'CustomResourceDefinition';

/**
 * Starts to keep `kinds` in `store`. Until a kind is listed, and while it is refused, its knowledge says so: what is not there is then
 * unknown, not absent. A kind that the cluster does not serve has no objects, and is taken up when it appears: at once where
 * CustomResourceDefinitions are among the kinds, within half a minute otherwise.
 */
export function reflectCluster({
  client,
  store,
  kinds,
  logger = silentLogger,
  times = {},
}: ClusterFactsOptions): ClusterFacts {
  const stop = new AbortController();
  const started = kinds.map((kind): [Reflector, Reflection] => {
    const reflection = createReflection(store, kind);
    const all = { ...reflectorTimes, ...times };
    return [startReflector({ client, kind, reflection, logger, times: all, signal: stop.signal }), reflection];
  });
  const byKind = new Map(started.map(([reflector, reflection]) => [reflector.kind.kind, { reflector, reflection }]));
  const unsubscribe = store.subscribe(({ kind, key }) => {
    if (kind === definitions && key !== undefined) wake(started, key);
  });
  return {
    settled: Promise.all(started.map(([reflector]) => reflector.settled)).then(() => {}),
    states: () => new Map(started.map(([reflector]) => [reflector.kind.kind, reflector.state()])),
    observe(object) {
      const found = byKind.get(object.kind);
      if (found === undefined || !isSelected(object, found.reflector.kind)) return;
      found.reflection.observe(object, found.reflector.apiVersion());
    },
    async stop() {
      unsubscribe();
      stop.abort();
      await Promise.all(started.map(([reflector]) => reflector.ended));
    },
  };
}

/** The name of a CustomResourceDefinition is `<plural>.<group>`. */
function wake(started: readonly [Reflector, Reflection][], definition: string): void {
  for (const [reflector] of started) {
    const { plural, apiVersion } = reflector.kind;
    if (definition === `${plural}.${groupOf(apiVersion)}`) reflector.wake();
  }
}

/** An object outside the namespace of a kind's watch would never be heard of again. Labels are ours to set, and are not compared. */
function isSelected(object: KubeObject, kind: WatchedKind): boolean {
  return kind.namespace === undefined || object.metadata.namespace === kind.namespace;
}
