/** A Kubernetes object as every room sees it: plain JSON, frozen, with the API server's defaults applied. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly resourceVersion?: string;
  /** RFC 3339, as the API server writes it. */
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

/** `<namespace>/<name>`, or `<name>` for an object without namespace: the key of an object among those of its kind. */
export function keyOf(object: { readonly metadata: { readonly name: string; readonly namespace?: string } }): string {
  return namespacedName(object.metadata.namespace, object.metadata.name);
}

/** The key of the object `name` in `namespace`. */
export function namespacedName(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}
