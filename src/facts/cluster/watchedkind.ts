import type { KubeObject } from '../object.ts';
import { knownKind, type KnownKind } from './kinds.ts';

/** A kind to keep in the store, and which of its objects and fields. */
export interface WatchedKind extends KnownKind {
  /** Only this namespace. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Only the metadata: for large objects of which an annotation or the mere existence is asked. */
  readonly metadataOnly?: boolean;
  /** Keeps what `managedFields` says of our own writes: for kinds we write, where the plan asks which fields are ours. */
  readonly written?: boolean;
  /** Leaves out what nobody reads, before the object is frozen. */
  readonly trim?: (object: KubeObject) => KubeObject;
}

/** The kind of that name, to be watched. */
export function watched(kind: string, how: Omit<Partial<WatchedKind>, keyof KnownKind> = {}): WatchedKind {
  return { ...knownKind(kind), ...how };
}

/**
 * Which Secrets are kept: all but those that hold releases of helm (up to a megabyte each), tokens of service accounts and registry
 * passwords. A Secret that a Gateway names must be told from one that does not exist without asking for each, so one watch over all
 * is what costs least; the types left out can be neither credentials nor certificates here.
 */
export const secretTypesRead = [
  'helm.sh/release.v1',
  'kubernetes.io/service-account-token',
  'kubernetes.io/dockerconfigjson',
  'bootstrap.kubernetes.io/token',
]
  .map((type) => `type!=${type}`)
  .join(',');
