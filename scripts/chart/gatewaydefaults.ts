/** `config.gatewayDefaults` is CloudflareGatewayParameters.spec but for secretRef, so its schema is taken from that CRD. */
import { fileURLToPath } from 'node:url';
import { Type, type TSchema } from 'typebox';
import { readCrds, servedVersions } from '../imports/crds.ts';
import { chartFolder } from './output.ts';

type Json = Readonly<Record<string, unknown>>;

/** Throws if the CRD is not there. */
export function gatewayDefaults(): TSchema {
  const folder = fileURLToPath(new URL('files/crds', chartFolder));
  const [crd] = readCrds(folder, ['CloudflareGatewayParameters']);
  if (crd === undefined) throw new Error('files/crds holds no CloudflareGatewayParameters');
  const [version] = servedVersions(crd);
  const { spec = {} } = (version?.schema.openAPIV3Schema['properties'] ?? {}) as { spec?: Json };
  const { secretRef: _, ...properties } = spec['properties'] as Json;
  return Type.Unsafe(closed({ ...spec, properties }) as TSchema);
}

/**
 * A schema as JSON Schema has it: objects that list their fields know no others, and what only an API server understands is left out. It is
 * checked again by the rules, with the CEL rules that stay behind here.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key]) => !key.startsWith('x-kubernetes-') && !dropped.has(key));
  const result = Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'properties' ? fields(value) : closed(value)]),
  );
  const lists = 'properties' in result && !('additionalProperties' in result);
  return lists && !('x-kubernetes-preserve-unknown-fields' in schema)
    ? { ...result, additionalProperties: false }
    : result;
}

/** Names of an API server's formats say nothing to Helm, and a default here would only seem to be applied. */
const dropped = new Set(['format', 'default', 'description', 'nullable']);

/** The names of fields are the user's, so one that is called like a keyword is none. */
function fields(properties: unknown): unknown {
  return Object.fromEntries(Object.entries(properties as Json).map(([name, schema]) => [name, closed(schema)]));
}
