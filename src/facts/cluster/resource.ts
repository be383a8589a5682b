/** The kinds of the API server as places to ask: group, version, plural and scope, and the paths that follow from them. */
export interface Resource {
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Name of an object, with its namespace where it has one. */
export interface ObjectName {
  readonly namespace?: string;
  readonly name: string;
}

/** Path of all objects of a kind, or of those in one namespace. Source: Kubernetes API concepts, "Resource URIs". */
export function collectionPath({ apiVersion, plural, namespaced }: Resource, namespace?: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const inside = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${inside}/${plural}`;
}

/** Path of one object, or of one of its subresources (`status`). */
export function objectPath(resource: Resource, { namespace, name }: ObjectName, subresource?: string): string {
  const path = `${collectionPath(resource, namespace)}/${encodeURIComponent(name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** `Gateway shop/web`. */
export function objectText({ kind }: Pick<Resource, 'kind'>, { namespace, name }: ObjectName): string {
  return namespace === undefined || namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** The group of an apiVersion; the core group is the empty string. */
export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0));
}
