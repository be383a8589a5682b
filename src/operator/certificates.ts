import { planeLabels } from '../derive/emit/labels.ts';
import { certificatesName } from '../derive/emit/objectnames.ts';
import type { PlaneResult } from '../derive/results.ts';
import type { KubeObject } from '../facts/object.ts';
import type { FactStore } from '../facts/store.ts';
import { certificateFiles } from '../table/certificates.ts';

/**
 * The Secret `gateway-<name>-certificates`: what the listeners name, wherever it is, in the files that the proxy looks for. Nothing where
 * there is no certificate. Only the operator has it: `render` never writes a Secret's value.
 */
export function certificatesSecret(store: FactStore, { plane, certificates }: PlaneResult): KubeObject | undefined {
  const data: [string, string][] = [];
  for (const { listener, secrets } of certificates?.listeners ?? []) {
    for (const [index, key] of secrets.entries()) {
      const given = (store.get('Secret', key)?.['data'] ?? {}) as Readonly<Record<string, string>>;
      const files = certificateFiles(listener, index);
      data.push([files.certificate, given['tls.crt'] ?? ''], [files.key, given['tls.key'] ?? '']);
    }
  }
  if (data.length === 0) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: certificatesName(plane), namespace: plane.namespace, labels: planeLabels(plane) },
    type: 'Opaque',
    data: Object.fromEntries(data.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}
