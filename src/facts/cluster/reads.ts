/** What is asked of the API server: one object, all objects of a kind, and what happens to them. */
import type { KubeObject } from '../object.ts';
import type { KubeClient } from './client.ts';
import { ApiFailure, failureOf, isFailure } from './failure.ts';
import { collectionPath, objectPath, objectText, type ObjectName, type Resource } from './resource.ts';

/** One object as it is now. Throws ApiFailure, `notFound` among the reasons. */
export async function getObject(
  client: KubeClient,
  resource: Resource,
  name: ObjectName,
  signal?: AbortSignal,
): Promise<KubeObject> {
  return (await client.send({
    method: 'GET',
    path: objectPath(resource, name),
    what: `get ${objectText(resource, name)}`,
    ...(signal === undefined ? {} : { signal }),
  })) as KubeObject;
}

/** Which objects of a kind. */
export interface Selection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
}

/** All objects at one moment, and that moment. */
export interface Listed {
  readonly objects: readonly KubeObject[];
  readonly resourceVersion: string;
}

interface ListBody {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubeObject[];
}

const pageSize = 500;
const listTimeout = 60_000;

/**
 * Reads all objects of a kind, page by page, as of one moment that is not older than the call. Where the moment is forgotten between
 * two pages (410), all is read at once. Source: Kubernetes API concepts, "Retrieving large results sets in chunks".
 */
export async function listObjects(
  client: KubeClient,
  resource: Resource,
  selection: Selection = {},
  signal?: AbortSignal,
): Promise<Listed> {
  try {
    return await listPages(client, resource, { selection, limit: pageSize }, signal);
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error;
    return listPages(client, resource, { selection, limit: undefined }, signal);
  }
}

async function listPages(
  client: KubeClient,
  resource: Resource,
  { selection, limit }: { readonly selection: Selection; readonly limit: number | undefined },
  signal?: AbortSignal,
): Promise<Listed> {
  const objects: KubeObject[] = [];
  let next: string | undefined;
  for (;;) {
    const page = (await client.send({
      method: 'GET',
      path: collectionPath(resource, selection.namespace),
      query: { ...selectors(selection), limit, continue: next },
      accept: accept(selection, 'PartialObjectMetadataList'),
      what: `list ${resource.kind} objects`,
      timeout: listTimeout,
      ...(signal === undefined ? {} : { signal }),
    })) as ListBody;
    objects.push(...(page.items ?? []));
    next = page.metadata?.continue;
    if (next === undefined || next === '') return { objects, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}

/**
 * Something that happened to the objects of a kind. A bookmark only says that nothing else happened up to a moment; after an error nothing
 * that was heard before can be built on, and the kind is to be listed again.
 */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubeObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'ERROR'; readonly failure: ApiFailure };

export interface WatchOptions extends Selection {
  /** What happened after this moment. */
  readonly resourceVersion: string;
  /** After how many seconds the API server is to end the watch. */
  readonly seconds: number;
  /** Longest silence in milliseconds; bookmarks come after two minutes and then each minute. */
  readonly idle: number;
  /** Called when the API server has begun to answer. */
  readonly opened?: () => void;
  readonly signal?: AbortSignal;
}

/** What happens to the objects of a kind, until the API server ends the watch. Throws ApiFailure when it was refused or cut, or fell silent. */
export async function* watchObjects(
  client: KubeClient,
  resource: Resource,
  options: WatchOptions,
): AsyncGenerator<WatchEvent> {
  const what = `watch ${resource.kind} objects`;
  const pieces = client.stream({
    path: collectionPath(resource, options.namespace),
    query: {
      ...selectors(options),
      watch: true,
      allowWatchBookmarks: true,
      resourceVersion: options.resourceVersion,
      timeoutSeconds: options.seconds,
    },
    accept: accept(options, 'PartialObjectMetadata'),
    what,
    idle: options.idle,
    ...(options.opened === undefined ? {} : { opened: options.opened }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  for await (const line of linesOf(pieces)) yield eventOf(what, line);
}

/** Whole lines only: what follows the last line break was cut in the middle and is as good as never sent. */
async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      rest.push(piece.subarray(from, end));
      yield Buffer.concat(rest).toString('utf8');
      rest = [];
      from = end + 1;
    }
    if (from < piece.length) rest.push(piece.subarray(from));
  }
}

interface EventBody {
  readonly type?: string;
  readonly object?: KubeObject & { readonly code?: number };
}

function eventOf(what: string, line: string): WatchEvent {
  const event = parsed(line);
  if (event === undefined) return unreadable(`${what}: the API server sent a line that is no JSON`);
  const { type, object } = event;
  if (type === 'ERROR') return { type, failure: failureOf(what, object?.code ?? 500, object) };
  if (object?.metadata === undefined) return unreadable(`${what}: the API server sent an event without object`);
  if (type === 'BOOKMARK') return { type, resourceVersion: object.metadata.resourceVersion ?? '' };
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') return { type, object };
  return unreadable(`${what}: the API server sent an event of unknown type ${String(type)}`);
}

function parsed(line: string): EventBody | undefined {
  try {
    return JSON.parse(line) as EventBody;
  } catch {
    return undefined;
  }
}

function unreadable(message: string): WatchEvent {
  return { type: 'ERROR', failure: new ApiFailure('transient', message) };
}

function selectors({ labelSelector, fieldSelector }: Selection): Record<string, string | undefined> {
  return { labelSelector, fieldSelector };
}

/** Source: Kubernetes API concepts, "Metadata-only fetches". */
function accept({ metadataOnly }: Selection, as: string): string {
  return metadataOnly === true ? `application/json;as=${as};g=meta.k8s.io;v=v1` : 'application/json';
}
