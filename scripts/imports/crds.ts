import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A JSON value read from YAML. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: JsonObject };
}

/** A CustomResourceDefinition, as far as the generators look at it. */
export interface Crd {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly spec: {
    readonly group: string;
    readonly scope: 'Cluster' | 'Namespaced';
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly CrdVersion[];
  };
}

/** The CustomResourceDefinitions in the YAML files of `directory`, of the given kinds or of all, by file name. */
export function readCrds(directory: string, kinds?: readonly string[]): readonly Crd[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .flatMap((name) => parseAllDocuments(readFileSync(join(directory, name), 'utf8')))
    .map((document) => document.toJS() as Crd)
    .filter((each) => each.kind === 'CustomResourceDefinition' && (kinds?.includes(each.spec.names.kind) ?? true));
}

/** The served versions of a CRD, a stable one first, then the stored one. */
export function servedVersions(crd: Crd): readonly CrdVersion[] {
  const rank = ({ name, storage }: CrdVersion): number => (/^v\d+$/.test(name) ? 2 : 0) + (storage ? 1 : 0);
  return crd.spec.versions.filter((each) => each.served).toSorted((a, b) => rank(b) - rank(a));
}
