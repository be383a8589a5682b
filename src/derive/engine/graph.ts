import equal from 'fast-deep-equal';
import type { Read, View } from './declare.ts';

/** Something that can be read: its readers are told when it changes. */
export interface Source {
  readonly name: string;
  readonly key: string;
  /** The revision in which the value last differed. */
  changedAt: number;
  readonly readers: Set<Node>;
}

/** One memoised result: a view at a key. */
export interface Node extends Source {
  readonly view: View<unknown>;
  /** `clean`: the value stands. `check`: something below may have changed. `dirty`: something read has changed. */
  state: 'clean' | 'check' | 'dirty' | 'deriving';
  value: unknown;
  verifiedAt: number;
  reads: Source[];
  /** Told when the node stops being clean; set for the nodes that an index or a rule holds. */
  wake: (() => void) | undefined;
}

/** The dependency graph: remembers results, what they read, and recomputes only what a change reaches. */
export interface Graph {
  revision: number;
  /** Derivations run since the graph was made. */
  derivations: number;
  readonly nodes: Map<View<unknown>, Map<string, Node>>;
  /** The derivations under way, the innermost last. */
  readonly running: Derivation[];
  /** Nodes that lost their last reader; `sweep` forgets those that found no other. */
  readonly orphans: Node[];
  /** What derivations are given; it must call `track` for each thing read. */
  readonly read: Read;
}

interface Derivation {
  readonly node: Node;
  readonly reads: Source[];
  readonly seen: Set<Source>;
}

export function createGraph(read: Read): Graph {
  return { revision: 1, derivations: 0, nodes: new Map(), running: [], orphans: [], read };
}

export function newSource(name: string, key: string): Source {
  return { name, key, changedAt: 0, readers: new Set() };
}

/** The node of a view at a key, made when first asked for. */
export function nodeOf(graph: Graph, view: View<unknown>, key: string): Node {
  let byKey = graph.nodes.get(view);
  if (byKey === undefined) graph.nodes.set(view, (byKey = new Map()));
  let node = byKey.get(key);
  if (node === undefined) byKey.set(key, (node = newNode(view, key)));
  return node;
}

/** The value of a node, brought up to date. Throws if a view needs itself. */
export function refresh(graph: Graph, node: Node): unknown {
  if (node.state === 'deriving') throw new Error(`${pathTo(graph, node)} reads itself`);
  if (node.state === 'check') settleCheck(graph, node);
  if (node.state === 'dirty') derive(graph, node);
  return node.value;
}

/** Records that the derivation now running read `source`. */
export function track(graph: Graph, source: Source): void {
  const top = graph.running.at(-1);
  if (top === undefined || top.seen.has(source)) return;
  top.seen.add(source);
  top.reads.push(source);
}

/** Tells the readers of a source that it changed. */
export function touch(graph: Graph, source: Source): void {
  source.changedAt = graph.revision;
  for (const node of source.readers) mark(node, 'dirty');
}

/** Lets go of a node that an index or a rule held. */
export function release(graph: Graph, node: Node): void {
  node.wake = undefined;
  if (node.readers.size === 0) graph.orphans.push(node);
}

/** Forgets nodes that nothing reads or holds any more. */
export function sweep(graph: Graph): void {
  for (let node = graph.orphans.pop(); node !== undefined; node = graph.orphans.pop()) forget(graph, node);
}

export function isNode(source: Source): source is Node {
  return 'view' in source;
}

function pathTo(graph: Graph, last: Node): string {
  return [...graph.running.map(({ node }) => node), last].map(({ name, key }) => `${name}(${key})`).join(' > ');
}

function mark(node: Node, state: 'check' | 'dirty'): void {
  const was = node.state;
  if (was === 'dirty' || was === state) return;
  node.state = state;
  if (was !== 'clean') return;
  node.wake?.();
  for (const reading of node.readers) mark(reading, 'check');
}

/** Asks what was read, in the order it was read: the first thing that differs decides that the node must be derived anew. */
function settleCheck(graph: Graph, node: Node): void {
  for (const source of node.reads) {
    if (isNode(source)) refresh(graph, source);
    if (source.changedAt > node.verifiedAt) {
      node.state = 'dirty';
      return;
    }
  }
  node.state = 'clean';
  node.verifiedAt = graph.revision;
}

function derive(graph: Graph, node: Node): void {
  const derivation: Derivation = { node, reads: [], seen: new Set() };
  node.state = 'deriving';
  graph.running.push(derivation);
  graph.derivations += 1;
  try {
    const value = node.view.derive(node.key, graph.read);
    if (node.verifiedAt === 0 || !equal(value, node.value)) {
      node.value = value;
      node.changedAt = graph.revision;
    }
    node.state = 'clean';
    node.verifiedAt = graph.revision;
  } finally {
    graph.running.pop();
    if (node.state === 'deriving') node.state = 'dirty';
    relink(graph, node, derivation.reads);
  }
}

/** Only where old and new reads differ are links touched: a node that reads thousands mostly reads the same again. */
function relink(graph: Graph, node: Node, reads: Source[]): void {
  const before = node.reads;
  node.reads = reads;
  let same = 0;
  while (same < reads.length && reads[same] === before[same]) same += 1;
  if (same === reads.length && same === before.length) return;
  const kept = new Set(reads);
  for (const source of reads.slice(same)) source.readers.add(node);
  for (const source of before.slice(same)) if (!kept.has(source)) unlink(graph, source, node);
}

function unlink(graph: Graph, source: Source, node: Node): void {
  source.readers.delete(node);
  if (isNode(source) && source.readers.size === 0 && source.wake === undefined) graph.orphans.push(source);
}

function forget(graph: Graph, node: Node): void {
  if (node.readers.size > 0 || node.wake !== undefined) return;
  const byKey = graph.nodes.get(node.view);
  if (byKey?.get(node.key) !== node) return;
  byKey.delete(node.key);
  for (const source of node.reads) unlink(graph, source, node);
  node.reads = [];
}

function newNode(view: View<unknown>, key: string): Node {
  return {
    ...newSource(view.name, key),
    view,
    state: 'dirty',
    value: undefined,
    verifiedAt: 0,
    reads: [],
    wake: undefined,
  };
}
