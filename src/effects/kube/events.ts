/** Events: one for each thing worth telling, none for telling it again. */
import { createHash } from 'node:crypto';
import { controllerName } from '../../api/names.ts';
import type { KubeClient } from '../../facts/cluster/client.ts';
import { isFailure } from '../../facts/cluster/failure.ts';
import type { KubeObject } from '../../facts/object.ts';
import { silentLogger, type Logger } from '../../observe/logger.ts';
import { microTime } from './microtime.ts';
import { createObject } from './writes.ts';

export interface EventClaim {
  /** What it is about. */
  readonly object: KubeObject;
  readonly type: 'Normal' | 'Warning';
  /** In CamelCase, as a condition's reason. */
  readonly reason: string;
  /** What was being done, in CamelCase: `Reconcile`. */
  readonly action: string;
  /** The sentence; what is beyond 1024 bytes is cut off. */
  readonly note: string;
}

export interface EventWriter {
  /**
   * Tells an event, unless the last one of that reason for that object said the same. Never throws: an event that cannot be written is
   * logged, and told when it is claimed again.
   */
  tell(claim: EventClaim): Promise<void>;
  /** The claimed state is over: the same sentence is news when it comes back. */
  forget(object: KubeObject, reason: string): void;
}

export interface EventWriterOptions {
  readonly client: KubeClient;
  /** Which replica speaks: its pod's name. */
  readonly instance: string;
  readonly logger?: Logger;
  readonly now?: () => Date;
}

/** So many sentences are remembered; with more, the oldest may be told twice. */
const most = 10_000;

/**
 * The name of the first event of a sentence follows from what it says, so that a new leader, or one restarted, does not say it all
 * again: the API server has it for an hour. Source: Kubernetes, events.k8s.io/v1 Event.
 */
export function createEventWriter({
  client,
  instance,
  logger = silentLogger,
  now = () => new Date(),
}: EventWriterOptions): EventWriter {
  /** Last sentence by object and reason; undefined where one was told that no longer holds. */
  const told = new Map<string, string | undefined>();
  return {
    async tell(claim) {
      const key = keyOf(claim.object, claim.reason);
      const sentence = `${claim.type} ${claim.note}`;
      if (told.get(key) === sentence) return;
      const time = now();
      const repeat = told.has(key) ? time.toISOString() : '';
      remember(told, key, sentence);
      try {
        await createObject(client, eventOf(claim, { instance, time, repeat }));
      } catch (error) {
        if (isFailure(error, 'alreadyExists')) return;
        told.delete(key);
        logger.warn(`event ${claim.reason} could not be written`, { error, note: claim.note });
      }
    },
    forget(object, reason) {
      const key = keyOf(object, reason);
      if (told.has(key)) remember(told, key, undefined);
    },
  };
}

function remember(told: Map<string, string | undefined>, key: string, sentence: string | undefined): void {
  told.delete(key);
  told.set(key, sentence);
  const [oldest] = told.keys();
  if (told.size > most && oldest !== undefined) told.delete(oldest);
}

function keyOf({ kind, metadata }: KubeObject, reason: string): string {
  return `${kind}/${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid ?? ''}/${reason}`;
}

function eventOf(
  { object, type, reason, action, note }: EventClaim,
  { instance, time, repeat }: { readonly instance: string; readonly time: Date; readonly repeat: string },
): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion } = metadata;
  const hash = createHash('sha256').update(JSON.stringify([kind, namespace, name, uid, type, reason, note, repeat]));
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: {
      name: `${name.slice(0, 220)}.${hash.digest('hex').slice(0, 16)}`,
      // Events about objects without namespace are kept there. Source: client-go, tools/events.
      namespace: namespace ?? 'default',
    },
    eventTime: microTime(time),
    reportingController: controllerName,
    reportingInstance: instance.slice(0, 128),
    type,
    reason,
    action,
    note: cut(note),
    regarding: { apiVersion, kind, namespace, name, uid, resourceVersion },
  };
}

function cut(note: string): string {
  const bytes = Buffer.from(note);
  return bytes.length <= 1024
    ? note
    : `${bytes
        .subarray(0, 1018)
        .toString()
        .replace(/\uFFFD+$/, '')}…`;
}
