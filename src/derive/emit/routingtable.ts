/** The ConfigMaps that the proxy reads: the routing table, and the endpoints apart from it, so that their churn leaves the table alone. */
import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { KubeObject } from '../../facts/object.ts';
import { packTable } from '../../table/pack.ts';
import type { PackCache, PackedFile, TooLarge } from '../../table/pack.ts';
import type { Plane } from '../plane.ts';
import { planeMetadata } from './metadata.ts';
import { endpointsName, tableName } from './objectnames.ts';
import { planeOwned } from './objects.ts';

/** The files of one ConfigMap: text as `data`, bytes as `binaryData`. */
class TableFiles extends k8s.KubeConfigMap {
  constructor(scope: Construct, plane: Plane, { name, files }: { name: string; files: readonly PackedFile[] }) {
    const text: Record<string, string> = {};
    const bytes: Record<string, string> = {};
    for (const { name: file, content } of files) {
      if (typeof content === 'string') text[file] = content;
      else bytes[file] = base64(content);
    }
    super(scope, name, {
      metadata: planeMetadata(plane, name),
      ...(Object.keys(text).length === 0 ? {} : { data: text }),
      ...(Object.keys(bytes).length === 0 ? {} : { binaryData: bytes }),
    });
  }
}

export type TableObjects =
  | { readonly objects: readonly KubeObject[]; readonly tooLarge?: never }
  | { readonly tooLarge: TooLarge; readonly objects?: never };

/**
 * The ConfigMaps of a table: `gateway-<name>`, and for shards more of them beside it. The text form is one ConfigMap with the readable document.
 * `cache` saves compression; keep one per plane.
 */
export function tableObjects(plane: Plane, schema: string, text: string, cache?: PackCache): TableObjects {
  const packed = packTable(schema, text, cache);
  if (packed.tooLarge) return { tooLarge: packed.tooLarge };
  const parts = Map.groupBy(packed.files, ({ configMap }) => configMap);
  const objects = planeOwned(plane, (scope) => {
    for (const [index, files] of parts) new TableFiles(scope, plane, { name: tableName(plane, index), files });
  });
  return { objects };
}

/** The proxy looks for the endpoints document by this name. */
const endpointsFile = 'endpoints.json';

/** The ConfigMap `gateway-<name>-endpoints` with the text of the endpoints document. */
export function endpointsObject(plane: Plane, text: string): KubeObject {
  const files = [{ configMap: 0, name: endpointsFile, content: text }];
  const [object] = planeOwned(plane, (scope) => new TableFiles(scope, plane, { name: endpointsName(plane), files }));
  if (!object) throw new Error(`${plane.id} has no endpoints object`);
  return object;
}

/** Node has this; the library types of the compiler do not know it yet. */
function base64(bytes: Uint8Array): string {
  return (bytes as Uint8Array & { toBase64: () => string }).toBase64();
}
