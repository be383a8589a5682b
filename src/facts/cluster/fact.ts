import { managedBy } from '../../api/names.ts';
import type { KubeObject, ObjectMeta } from '../object.ts';
import type { WatchedKind } from './watchedkind.ts';

/** An entry of `metadata.managedFields`. Source: Kubernetes, meta/v1 ManagedFieldsEntry. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/** kubectl keeps a second copy of the whole object there. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * An object of the API server as a fact: its type fields set (objects in a list have none), frozen, without what is large and read by
 * nobody: who owns which field (but for our own, where the kind is written by us), and kubectl's copy.
 */
export function factOf(kind: WatchedKind, apiVersion: string, given: KubeObject): KubeObject {
  const metadata = lean(given.metadata, kind.written === true);
  const object: KubeObject = { ...given, apiVersion, kind: kind.kind, metadata };
  return freeze(kind.trim === undefined ? object : kind.trim(object));
}

function lean(metadata: ObjectMeta, written: boolean): ObjectMeta {
  const { managedFields, annotations, ...rest } = metadata as ObjectMeta & {
    readonly managedFields?: readonly ManagedFieldsEntry[];
  };
  const ours = written ? (managedFields ?? []).filter(({ manager }) => manager === managedBy) : [];
  return {
    ...rest,
    ...(annotations === undefined ? {} : { annotations: withoutCopy(annotations) }),
    ...(ours.length === 0 ? {} : { managedFields: ours }),
  };
}

function withoutCopy(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!(lastApplied in annotations)) return annotations;
  const { [lastApplied]: _, ...others } = annotations;
  return others;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) freeze(each);
  }
  return value;
}
