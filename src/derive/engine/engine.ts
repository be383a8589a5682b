import type { KubeObject } from '../../facts/object.ts';
import { absent, present, unknown, type Reading } from '../../facts/reading.ts';
import type { FactChange, FactStore } from '../../facts/store.ts';
import type { Collection, Index, Read, Rule, View } from './declare.ts';
import {
  createGraph,
  isNode,
  newSource,
  nodeOf,
  refresh,
  sweep,
  touch,
  track,
  type Graph,
  type Source,
} from './graph.ts';
import { bucketOf, createStage, membersOf, settleStage, type Stage } from './stage.ts';

/** What a rule emitted for one key, before and now; `undefined` where it emitted nothing. */
export interface Emitted {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Keeps the results of all rules up to date with the facts. */
export interface Engine {
  /** Derives what the changes since the last call reach. Returns, by the name of the rule, only what came out differently. */
  settle(): ReadonlyMap<string, readonly Emitted[]>;
  /** Reads as a rule would, from outside: for printing and for tests. */
  readonly read: Read;
  /** What a result was made of, as a tree that unfolds on demand. */
  explain(view: View<unknown>, key: string): readonly Explained[];
  /** What all results held now were made of, by the name of their view, sorted: `<collection, index or view>/<key>`. */
  reads(): ReadonlyMap<string, readonly string[]>;
  /** The view of a name, among those that have a result. Throws for any other. */
  view(name: string): View<unknown>;
  /** Derivations run since the engine was made. */
  derivations(): number;
}

/** One thing that a result read: a fact by its kind, an index, or (with `reads`) another result. */
export interface Explained {
  readonly name: string;
  readonly key: string;
  readonly reads?: () => readonly Explained[];
}

interface Parts {
  readonly store: FactStore;
  readonly graph: Graph;
  readonly stages: ReadonlyMap<Index | Rule<unknown>, Stage>;
  /** What can be read of the facts: an object, or (under the key '') how much is known of its kind. */
  readonly cells: Map<string, Source>;
  readonly changes: FactChange[];
  /** The stage being settled; nothing before it may read what it is about to change. */
  at: number;
}

/**
 * An engine over a store of facts. `declared` are the indexes and rules in reading order: an index may be read only by what
 * stands after it, which is what makes one pass enough. Source: DESIGN, "One direction of flow".
 */
export function createEngine(store: FactStore, declared: readonly (Index | Rule<unknown>)[]): Engine {
  const stages = new Map(declared.map((each, position) => [each, createStage(each, position)]));
  const read = Object.assign((what: Readable, key: string) => readAny(parts, what, key), {
    all: (kind: Collection<unknown>) => readAll(parts, kind),
  }) as Read;
  const graph = createGraph(read);
  const parts: Parts = { store, graph, stages, cells: new Map(), changes: allFacts(store, declared), at: Infinity };
  for (const stage of stages.values()) follow(parts, stage);
  store.subscribe((change) => parts.changes.push(change));
  return {
    settle: () => settle(parts),
    read,
    explain: (view, key) => {
      const node = nodeOf(graph, view, key);
      refresh(graph, node);
      return node.reads.map(explained);
    },
    reads: () => readsByView(graph),
    view: (name) => viewNamed(graph, name),
    derivations: () => graph.derivations,
  };
}

type Readable = Collection<unknown> | View<unknown> | Index;

function allFacts(store: FactStore, declared: readonly (Index | Rule<unknown>)[]): FactChange[] {
  const kinds = new Set(
    declared
      .map(sourceOf)
      .filter((source) => source.type === 'collection')
      .map(({ name }) => name),
  );
  return [...kinds].flatMap((kind) => [...store.keys(kind)].map((key) => ({ kind, key })));
}

function sourceOf(declared: Index | Rule<unknown>): Collection<unknown> | Index {
  return declared.type === 'index' ? declared.source : declared.each;
}

function follow(parts: Parts, stage: Stage): void {
  const source = sourceOf(stage.declared);
  if (source.type === 'index') stageOf(parts, source).followers.push(stage);
}

function stageOf({ stages }: Parts, declared: Index): Stage {
  const stage = stages.get(declared);
  if (stage === undefined) throw new Error(`index ${declared.name} is not among the stages of the engine`);
  return stage;
}

function settle(parts: Parts): ReadonlyMap<string, readonly Emitted[]> {
  const { graph } = parts;
  const emitted = new Map<string, Emitted[]>();
  graph.revision += 1;
  for (const change of parts.changes.splice(0)) applyChange(parts, change);
  for (const stage of parts.stages.values()) {
    if (stage.pending.size === 0) continue;
    const told: Emitted[] = [];
    parts.at = stage.position;
    settleStage({
      graph,
      stage,
      exists: membership(parts, stage),
      told: (key, before, after) => told.push({ key, before, after }),
    });
    if (told.length > 0) emitted.set(stage.declared.name, told);
  }
  parts.at = Infinity;
  sweep(graph);
  return emitted;
}

function applyChange(parts: Parts, { kind, key }: FactChange): void {
  const cell = parts.cells.get(cellName(kind, key ?? ''));
  if (cell !== undefined) touch(parts.graph, cell);
  if (key === undefined) return;
  for (const stage of parts.stages.values()) {
    const source = sourceOf(stage.declared);
    if (source.type === 'collection' && source.name === kind) stage.pending.add(key);
  }
}

function membership(parts: Parts, { declared }: Stage): (key: string) => boolean {
  const source = sourceOf(declared);
  if (source.type === 'collection') return (key) => parts.store.get(source.name, key) !== undefined;
  const { buckets } = stageOf(parts, source);
  return (key) => (buckets.get(key)?.members.size ?? 0) > 0;
}

function readAny(parts: Parts, what: Readable, key: string): unknown {
  if (what.type === 'view') {
    const node = nodeOf(parts.graph, what, key);
    const value = refresh(parts.graph, node);
    track(parts.graph, node);
    return value;
  }
  return what.type === 'index' ? readIndex(parts, what, key) : readFact(parts, what.name, key);
}

function readIndex(parts: Parts, index: Index, key: string): readonly string[] {
  const stage = stageOf(parts, index);
  if (stage.position >= parts.at) throw new Error(`index ${index.name} is read before its place in the reading order`);
  const bucket = bucketOf(stage, key);
  track(parts.graph, bucket.source);
  return membersOf(bucket);
}

function readFact(parts: Parts, kind: string, key: string): Reading<KubeObject> {
  track(parts.graph, cellOf(parts, kind, key));
  const object = parts.store.get(kind, key);
  if (object !== undefined) return present(object);
  track(parts.graph, cellOf(parts, kind, ''));
  const knowledge = parts.store.knowledge(kind);
  return knowledge.complete ? absent : unknown(knowledge.why);
}

function readAll(parts: Parts, { name }: Collection<unknown>): Reading<true> {
  track(parts.graph, cellOf(parts, name, ''));
  const knowledge = parts.store.knowledge(name);
  return knowledge.complete ? present(true as const) : unknown(knowledge.why);
}

function cellOf({ cells }: Parts, kind: string, key: string): Source {
  const name = cellName(kind, key);
  let cell = cells.get(name);
  if (cell === undefined) cells.set(name, (cell = newSource(kind, key)));
  return cell;
}

function cellName(kind: string, key: string): string {
  return `${kind} ${key}`;
}

function viewNamed(graph: Graph, name: string): View<unknown> {
  const found = [...graph.nodes.keys()].find((each) => each.name === name);
  if (found === undefined) throw new Error(`no result of a view named ${name}`);
  return found;
}

function readsByView(graph: Graph): ReadonlyMap<string, readonly string[]> {
  const reads = [...graph.nodes].map(([view, nodes]): [string, readonly string[]] => {
    const names = [...nodes.values()].flatMap((node) => node.reads.map(({ name, key }) => `${name}/${key}`));
    return [view.name, [...new Set(names)].toSorted()];
  });
  return new Map(reads.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function explained(source: Source): Explained {
  const { name, key } = source;
  return isNode(source) ? { name, key, reads: () => source.reads.map(explained) } : { name, key };
}
