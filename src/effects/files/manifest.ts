import { stringify } from 'yaml';
import type { KubeObject } from '../../facts/object.ts';

/**
 * A Kubernetes object as YAML: fields as they stand, long texts as blocks that a review can read line by line, and every scalar
 * quoted that kubectl would read otherwise than YAML 1.2 does (`on`, `0777`). Equal objects give equal bytes.
 */
export function manifest(object: KubeObject): string {
  return stringify(object, {
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
    compat: 'yaml-1.1',
    indentSeq: true,
    lineWidth: 0,
    minContentWidth: 0,
  });
}

/** All objects as one stream of documents. */
export function manifests(objects: readonly KubeObject[]): string {
  return objects.map(manifest).join('---\n');
}
