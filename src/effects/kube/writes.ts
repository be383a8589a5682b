/** The four writes there are: apply, merge patch, create, delete. Each names us as the field manager. */
import { managedBy } from '../../api/names.ts';
import type { KubeClient } from '../../facts/cluster/client.ts';
import { resourceOf } from '../../facts/cluster/kinds.ts';
import { collectionPath, objectPath, objectText } from '../../facts/cluster/resource.ts';
import type { KubeObject } from '../../facts/object.ts';

/**
 * Brings the fields of `object` to what they say here, and drops those that an earlier apply of ours named and this one does not.
 * `force` takes over fields that others wrote; without it those are a `conflict`. With `metadata.uid` it is refused unless the
 * object is that very one. `dryRun`: the API server answers as if, and stores nothing. Source: Kubernetes, "Server-Side Apply".
 */
export async function applyObject(
  client: KubeClient,
  object: KubeObject,
  { force = true, dryRun = false }: { readonly force?: boolean; readonly dryRun?: boolean } = {},
): Promise<KubeObject> {
  const resource = resourceOf(object);
  return (await client.send({
    method: 'PATCH',
    path: objectPath(resource, object.metadata),
    query: { fieldManager: managedBy, force, ...(dryRun ? { dryRun: 'All' } : {}) },
    // JSON is YAML; the strategic and the JSON patch of the client library are never what is wanted (field cases, part 3).
    contentType: 'application/apply-patch+yaml',
    body: object,
    what: `apply ${objectText(resource, object.metadata)}`,
  })) as KubeObject;
}

/** An object to be patched, as it was read: the patch is refused with `conflict` if it has changed since. */
export async function patchObject(
  client: KubeClient,
  object: KubeObject,
  patch: { readonly metadata?: object; readonly [field: string]: unknown },
  subresource?: string,
): Promise<KubeObject> {
  const resource = resourceOf(object);
  const { uid, resourceVersion } = object.metadata;
  return (await client.send({
    method: 'PATCH',
    path: objectPath(resource, object.metadata, subresource),
    query: { fieldManager: managedBy },
    contentType: 'application/merge-patch+json',
    body: { ...patch, metadata: { ...patch.metadata, uid, resourceVersion } },
    what: `patch ${subresource === undefined ? '' : `${subresource} of `}${objectText(resource, object.metadata)}`,
  })) as KubeObject;
}

/** Throws `alreadyExists` if it is there. */
export async function createObject(client: KubeClient, object: KubeObject): Promise<KubeObject> {
  const resource = resourceOf(object);
  return (await client.send({
    method: 'POST',
    path: collectionPath(resource, object.metadata.namespace),
    query: { fieldManager: managedBy },
    body: object,
    what: `create ${objectText(resource, object.metadata)}`,
  })) as KubeObject;
}

/** Deletes this very object (by its uid), what it owns after it. Throws `conflict` if there is another of its name by now. */
export async function deleteObject(client: KubeClient, object: KubeObject): Promise<void> {
  const resource = resourceOf(object);
  const { uid } = object.metadata;
  await client.send({
    method: 'DELETE',
    path: objectPath(resource, object.metadata),
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    },
    what: `delete ${objectText(resource, object.metadata)}`,
  });
}
