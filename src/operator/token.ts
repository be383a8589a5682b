import { planeLabels } from '../derive/emit/labels.ts';
import { planeName } from '../derive/emit/objectnames.ts';
import { tokenKey } from '../derive/emit/volumes.ts';
import type { Plane } from '../derive/plane.ts';
import type { KubeObject } from '../facts/object.ts';
import { tableHash } from '../table/hash.ts';

/** Annotation of pod templates: another token rolls the pods, as cloudflared reads its token once. */
const tokenHashAnnotation = 'cloudflare-gateway-controller.io/token-hash';

/** The Secret with the connector token of a plane. Only the operator has it: `render` never writes a Secret's value. */
export function tokenSecret(plane: Plane, token: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: planeName(plane), namespace: plane.namespace, labels: planeLabels(plane) },
    type: 'Opaque',
    data: { [tokenKey]: Buffer.from(token).toString('base64') },
  };
}

/** SHA-256 of the token that a Secret holds, hex. */
export function tokenHashOf(secret: KubeObject | undefined): string | undefined {
  const data = secret?.['data'] as Readonly<Record<string, string>> | undefined;
  const encoded = data?.[tokenKey];
  return encoded === undefined ? undefined : tableHash(Buffer.from(encoded, 'base64').toString());
}

/** A Deployment whose pods are those of this token. */
export function withTokenHash(deployment: KubeObject, hash: string): KubeObject {
  const spec = deployment['spec'] as { readonly template: { readonly metadata: Readonly<Record<string, unknown>> } };
  const { metadata } = spec.template;
  const annotations = { ...(metadata['annotations'] as object | undefined), [tokenHashAnnotation]: hash };
  return { ...deployment, spec: { ...spec, template: { ...spec.template, metadata: { ...metadata, annotations } } } };
}
