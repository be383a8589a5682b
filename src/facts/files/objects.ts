import type { KubeObject } from '../object.ts';
import { checkObject, type CheckOptions, type Issue } from '../schema/check.ts';
import { groupVersion, lookUpKind } from '../schema/kinds.ts';
import { pathText, type Path } from '../fieldpath.ts';
import { isRecord } from '../schema/schema.ts';
import type { Remark } from './convert.ts';
import type { Item } from './flatten.ts';
import type { FileMessage } from './message.ts';
import { placeOf, type Locate, type Place, type SourcePosition } from './position.ts';

/** An object that was read from a file. */
export interface FileFact {
  /** As the API server would store it, deeply frozen. */
  readonly object: KubeObject;
  readonly position: SourcePosition;
  /** Where a field was written, or the nearest thing above it that was: a defaulted field has no place of its own. */
  readonly positionOf: (path: Path) => SourcePosition;
}

/** The objects read so far. */
export interface Objects {
  readonly facts: FileFact[];
  /** Where each was, by its identity. */
  readonly seen: Map<string, SourcePosition>;
  readonly options: CheckOptions;
}

/** Something in a document that should be an object. */
export interface Candidate extends Item {
  /** `HTTPRoute shop/cart`, if it says that much. */
  readonly name: string | undefined;
  readonly place: Place;
  readonly locate: Locate;
}

/** Names an item of a document, and puts it into the namespace where `kubectl apply` without -n would. */
export function candidateOf(item: Item, document: Place, locate: Locate): Candidate {
  const value = withNamespace(item.value);
  return { value, path: item.path, name: nameOf(value), place: placeOf(document, item.path), locate };
}

function withNamespace(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value['metadata'])) return value;
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || metadata['namespace']) return value;
  const found = lookUpKind(apiVersion, kind);
  if (found.is !== 'known' || found.kind.scope === 'Cluster') return value;
  return { ...value, metadata: { ...metadata, namespace: 'default' } };
}

function nameOf(value: unknown): string | undefined {
  if (!isRecord(value) || typeof value['kind'] !== 'string' || !isRecord(value['metadata'])) return undefined;
  const { name, namespace } = value['metadata'];
  if (typeof name !== 'string') return value['kind'];
  return `${value['kind']} ${typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : ''}${name}`;
}

/** Checks a candidate and takes it in if nothing is wrong with it. Returns everything that is to be said about it. */
export function readObject(candidate: Candidate, remarks: readonly Remark[], objects: Objects): readonly FileMessage[] {
  const said = remarks.map((remark) => remarked(remark, candidate));
  const missing = missingType(candidate);
  if (missing !== undefined) return [...said, missing];
  const { object, issues, notChecked } = checkObject(candidate.value, objects.options);
  // What could not be read was told already, and is missing or null only for that reason.
  const unread = remarks
    .filter((each) => each.severity === 'error')
    .map((each) => each.path.slice(candidate.path.length));
  const told = issues.filter(({ path }) => !unread.some((each) => each.every((part, index) => path[index] === part)));
  const messages = [
    ...said,
    ...told.map((issue) => issueMessage(issue, candidate)),
    ...notChecked.map((text) => issueMessage({ severity: 'note', path: [], message: text }, candidate)),
  ];
  if (messages.some((each) => each.severity === 'error')) return messages;
  const twin = takeIn(object, candidate, objects);
  return twin === undefined ? messages : [...messages, twin];
}

/** A document without the two fields that every object has is some other program's. */
function missingType({ value, name, place, locate }: Candidate): FileMessage | undefined {
  const absent = ['apiVersion', 'kind'].filter((field) => !isRecord(value) || value[field] === undefined);
  if (absent.length === 0) return undefined;
  const what = isRecord(value)
    ? `${absent.join(' and ')} ${absent.length > 1 ? 'are' : 'is'} missing`
    : 'it is no mapping';
  const message = {
    severity: 'error',
    position: locate(place.offset),
    message: `is no Kubernetes object: ${what}`,
  } as const;
  return name === undefined ? message : { ...message, object: name };
}

/** Keeps an object unless another has its identity: two versions of a kind are one kind, two files one cluster. */
function takeIn(object: KubeObject, candidate: Candidate, objects: Objects): FileMessage | undefined {
  const { name, namespace } = object.metadata;
  if (name === '') return undefined;
  const identity = JSON.stringify([groupVersion(object.apiVersion).group, object.kind, namespace ?? '', name]);
  const positionOf = (path: Path): SourcePosition => candidate.locate(placeOf(candidate.place, path).offset);
  const position = positionOf([]);
  const earlier = objects.seen.get(identity);
  if (earlier !== undefined) {
    return issueMessage(
      { severity: 'error', path: [], message: `is there twice, first at ${placeText(earlier)}; remove one of them` },
      candidate,
    );
  }
  objects.seen.set(identity, position);
  objects.facts.push({ object: freeze(object), position, positionOf });
  return undefined;
}

function issueMessage(
  { severity, path, message }: Pick<Issue, 'severity' | 'path' | 'message'>,
  candidate: Candidate,
): FileMessage {
  const position = candidate.locate(placeOf(candidate.place, path).offset);
  return { severity, position, ...subjectOf(candidate.name, path), message };
}

/** A remark of the YAML reader as a message; `candidate` is the object it fell into, if it fell into one. */
export function remarked(remark: Remark, candidate: Pick<Candidate, 'locate'> & Partial<Candidate>): FileMessage {
  const path = remark.path.slice(candidate.path?.length ?? 0);
  const earlier =
    remark.earlier === undefined ? '' : `, first at ${placeText(candidate.locate(remark.earlier))}; remove one of them`;
  const message = `${isSecretData(candidate.value, path) ? withoutValue(remark.message) : remark.message}${earlier}`;
  return {
    severity: remark.severity,
    position: candidate.locate(remark.offset),
    ...subjectOf(candidate.name, path),
    message,
  };
}

function subjectOf(object: string | undefined, path: Path): Pick<FileMessage, 'object' | 'path'> {
  return { ...(object === undefined ? {} : { object }), ...(path.length === 0 ? {} : { path: pathText(path) }) };
}

function isSecretData(value: unknown, path: Path): boolean {
  return isRecord(value) && value['kind'] === 'Secret' && (path[0] === 'data' || path[0] === 'stringData');
}

/** What a Secret holds is shown to nobody. */
function withoutValue(message: string): string {
  return message.replace(/ as kubectl reads it: .*; write/s, ' by kubectl as another value than a text; write');
}

function placeText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const each of Object.values(value)) freeze(each);
  }
  return value;
}
