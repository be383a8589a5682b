import type { KindSchema } from './kinds.ts';
import { isRecord, type Json, type Rule, type Schema } from './schema.ts';

export type Channel = 'experimental' | 'standard';

/** The two schemas of a kind, and whether they differ at all. */
export interface ChannelSchemas {
  readonly experimental: Schema;
  /** With all rules of the Standard channel. */
  readonly standard: Schema;
  /** With only those rules that the Experimental channel has not. */
  readonly standardOnly: Schema;
  readonly differ: boolean;
}

const cache = new WeakMap<KindSchema, ChannelSchemas>();

/** Takes apart what `scripts/imports/channels.ts` merged. The results are kept, since every object of a kind asks for them. */
export function channelSchemas(kind: KindSchema): ChannelSchemas {
  const known = cache.get(kind);
  if (known !== undefined) return known;
  const differ = /"(?:x-channel|x-standard|channel)":/.test(JSON.stringify(kind.schema));
  const schemas = {
    experimental: take(kind.schema, { channel: 'experimental', common: true }),
    standard: take(kind.schema, { channel: 'standard', common: true }),
    standardOnly: take(kind.schema, { channel: 'standard', common: false }),
    differ,
  };
  cache.set(kind, schemas);
  return schemas;
}

interface Part {
  readonly channel: Channel;
  /** Whether the rules of both channels are wanted too. */
  readonly common: boolean;
}

function take(schema: Schema, part: Part): Schema {
  const taken: Record<string, unknown> = {};
  for (const [key, value] of Object.entries({ ...schema, ...standardKeywords(schema, part) })) {
    if (value === null && key !== 'default') continue;
    if (key === 'x-kubernetes-validations') taken[key] = rules(value as readonly Rule[], part);
    else if (key === 'properties') taken[key] = properties(value as Readonly<Record<string, Schema>>, part);
    else if (key === 'items' || key === 'additionalProperties')
      taken[key] = isRecord(value) ? take(value, part) : value;
    else if (key !== 'x-standard' && key !== 'x-channel') taken[key] = value;
  }
  return taken;
}

function standardKeywords(schema: Schema, { channel }: Part): Readonly<Record<string, Json>> {
  return channel === 'standard' ? (schema['x-standard'] ?? {}) : {};
}

function properties(all: Readonly<Record<string, Schema>>, part: Part): Readonly<Record<string, Schema>> {
  const kept = Object.entries(all).filter(
    ([, schema]) => part.channel === 'experimental' || schema['x-channel'] === undefined,
  );
  return Object.fromEntries(kept.map(([name, schema]) => [name, take(schema, part)]));
}

function rules(all: readonly Rule[], { channel, common }: Part): readonly Rule[] {
  return all.filter((rule) => (rule.channel === undefined ? common : rule.channel === channel));
}
