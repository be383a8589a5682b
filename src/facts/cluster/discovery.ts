import type { KubeClient } from './client.ts';
import { isFailure } from './failure.ts';
import { groupOf, type Resource } from './resource.ts';

/** Whether the API server announces a kind in the document of its version. Throws ApiFailure if that cannot be read. */
export async function servesKind(
  client: KubeClient,
  { apiVersion, plural }: Resource,
  signal?: AbortSignal,
): Promise<boolean> {
  const path = groupOf(apiVersion) === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const request = { method: 'GET', path, what: `discover ${apiVersion}` } as const;
  try {
    const body = await client.send(signal === undefined ? request : { ...request, signal });
    const { resources = [] } = body as { readonly resources?: readonly { readonly name?: string }[] };
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (isFailure(error, 'notFound')) return false;
    throw error;
  }
}
