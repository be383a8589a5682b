import { mergeChannels } from './channels.ts';
import { servedVersions, type Crd, type Json, type JsonObject } from './crds.ts';

/** One file of src/facts/schema/kinds: the schema of a kind in the versions that share it. */
export interface KindSchema {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
  readonly versions: readonly string[];
  readonly source: string;
  readonly schema: JsonObject;
}

/** The schemas of a CRD without its descriptions: one for each group of versions with equal schemas. */
export function crdSchemas(crd: Crd, source: string, standard?: Crd): readonly KindSchema[] {
  const byText = Map.groupBy(servedVersions(crd), (version) => JSON.stringify(schemaOf(crd, version.name, standard)));
  return [...byText].map(([text, versions]) => ({
    group: crd.spec.group,
    kind: crd.spec.names.kind,
    plural: crd.spec.names.plural,
    scope: crd.spec.scope,
    versions: versions.map((version) => version.name),
    source,
    schema: JSON.parse(text) as JsonObject,
  }));
}

function schemaOf(crd: Crd, version: string, standard: Crd | undefined): JsonObject {
  const find = (each: Crd): JsonObject | undefined => {
    const found = each.spec.versions.find((candidate) => candidate.name === version);
    return found && withoutTexts(found.schema.openAPIV3Schema);
  };
  const experimental = find(crd);
  if (experimental === undefined) throw new Error(`${crd.spec.names.kind} has no version ${version}`);
  const other = standard && find(standard);
  return other === undefined ? experimental : mergeChannels(experimental, other);
}

/** A schema without what says nothing about validity, its keys in a fixed order. */
export function withoutTexts(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([key, value]) => !(key === 'description' && typeof value === 'string'));
  return Object.fromEntries(kept.toSorted(byKey).map(([key, value]) => [key, cleaned(value)]));
}

function cleaned(value: Json): Json {
  if (Array.isArray(value)) return value.map((each: Json) => cleaned(each));
  return typeof value === 'object' && value !== null ? withoutTexts(value as JsonObject) : value;
}

function byKey([one]: readonly [string, Json], [other]: readonly [string, Json]): number {
  return one < other ? -1 : 1;
}
