import type { Path } from '../fieldpath.ts';

/** The keywords that the schemas of CustomResourceDefinitions use, and the marks by which `scripts/imports` merges two channels. */
export interface Schema {
  readonly type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly Rule[];
  readonly 'x-channel'?: 'experimental';
  readonly 'x-standard'?: Readonly<Record<string, Json>>;
}

/** A CEL rule of a schema. `channel` is there if only one channel of the Gateway API has it. */
export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly fieldPath?: string;
  readonly reason?: string;
  readonly optionalOldSelf?: boolean;
  readonly channel?: 'experimental' | 'standard';
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Something the API server, or a cluster of the other channel, would say about an object. */
export interface Issue {
  readonly severity: 'error' | 'warning' | 'note';
  readonly path: Path;
  /** What must be, as a clause that follows the path and a colon: "must start with '/'". */
  readonly message: string;
  /** The CEL expression that does not hold. */
  readonly rule?: string;
}

/** How a check tells what it found: the path below the value it was given, what must be, and the CEL rule that says so. */
export type Report = (path: Path, message: string, rule?: Rule) => void;

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of a JSON value that shares nothing with it. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => copyOf(each));
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setField(copy, key, copyOf(value[key]));
  return copy;
}

/** Sets a field as data, whatever its name: an assignment to `__proto__` would change what the object is. */
export function setField(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
