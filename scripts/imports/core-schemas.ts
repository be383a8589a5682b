import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutTexts, type KindSchema } from './crd-schemas.ts';
import type { Json, JsonObject } from './crds.ts';

interface CoreKind {
  readonly file: string;
  readonly definition: string;
  readonly group: string;
  readonly plural: string;
  readonly scope: 'Cluster' | 'Namespaced';
}

/** Kubernetes' own kinds that rules read. */
const kinds: readonly CoreKind[] = [
  { file: 'api__v1', definition: 'io.k8s.api.core.v1.ConfigMap', group: '', plural: 'configmaps', scope: 'Namespaced' },
  { file: 'api__v1', definition: 'io.k8s.api.core.v1.Namespace', group: '', plural: 'namespaces', scope: 'Cluster' },
  { file: 'api__v1', definition: 'io.k8s.api.core.v1.Secret', group: '', plural: 'secrets', scope: 'Namespaced' },
  { file: 'api__v1', definition: 'io.k8s.api.core.v1.Service', group: '', plural: 'services', scope: 'Namespaced' },
  {
    file: 'apis__discovery.k8s.io__v1',
    definition: 'io.k8s.api.discovery.v1.EndpointSlice',
    group: 'discovery.k8s.io',
    plural: 'endpointslices',
    scope: 'Namespaced',
  },
];

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The schemas of Kubernetes' own kinds, cut out of its OpenAPI v3 documents in `directory`, all references resolved. */
export function coreSchemas(directory: string, source: string): readonly KindSchema[] {
  return kinds.map(({ file, definition, group, plural, scope }) => {
    const schema = resolved({ $ref: `#/components/schemas/${definition}` }, definitions(directory, file));
    const properties = { ...(schema['properties'] as JsonObject), metadata: { type: 'object' } };
    const kind = definition.slice(definition.lastIndexOf('.') + 1);
    return { group, kind, plural, scope, versions: ['v1'], source, schema: { ...schema, properties } };
  });
}

/** The schema of `metadata`, which a CRD never spells out. */
export function metadataSchema(directory: string): JsonObject {
  return resolved({ $ref: `#/components/schemas/${OBJECT_META}` }, definitions(directory, 'api__v1'));
}

function definitions(directory: string, file: string): JsonObject {
  const path = join(directory, 'api', 'openapi-spec', 'v3', `${file}_openapi.json`);
  const document = JSON.parse(readFileSync(path, 'utf8')) as { readonly components: { readonly schemas: JsonObject } };
  return document.components.schemas;
}

/** References inlined; what only OpenAPI clients need is dropped, and with it the defaults that say "empty". */
function resolved(schema: JsonObject, all: JsonObject): JsonObject {
  const reference = schema['$ref'] ?? (schema['allOf'] as readonly JsonObject[] | undefined)?.[0]?.['$ref'];
  if (typeof reference === 'string') return resolved(definitionOf(reference, all), all);
  if (schema['format'] === 'int-or-string') return { 'x-kubernetes-int-or-string': true };
  const kept = Object.entries(withoutTexts(schema)).filter(([key, value]) => says(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, nested(key, value, all)]));
}

function definitionOf(reference: string, all: JsonObject): JsonObject {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  const found = all[name] as JsonObject | undefined;
  if (found === undefined) throw new Error(`the OpenAPI document lacks ${name}`);
  return name.endsWith('.FieldsV1') ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } : found;
}

function says(key: string, value: Json): boolean {
  if (key.startsWith('x-kubernetes-patch-') || key === 'x-kubernetes-group-version-kind') return false;
  return key !== 'default' || (typeof value === 'string' && value !== '');
}

function nested(key: string, value: Json, all: JsonObject): Json {
  if (key === 'items' || key === 'additionalProperties') return resolved(value as JsonObject, all);
  if (key !== 'properties') return value;
  const properties = Object.entries(value as JsonObject);
  return Object.fromEntries(properties.map(([name, schema]) => [name, resolved(schema as JsonObject, all)]));
}
