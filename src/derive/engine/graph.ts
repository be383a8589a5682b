import equal from 'fast-deep-equal';
import type { Read, View } from './declare.ts';

/** Something that can be read: its readers are told when it changes. */
export interface Source {
  readonly name: string;
  /** The revision in which the value last differed. */
  changedAt: number;
  readonly readers: Set<Node>;
}

/** One memoised result: a view at a key. */
export interface Node extends Source {
  readonly view: View<unknown>;
  readonly key: string;
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
  node(view: View<unknown>, key: string): Node;
  /** The value of a node, brought up to date. */
  refresh(node: Node): unknown;
  /** Records that the derivation now running read `source`. */
  track(source: Source): void;
  /** Tells the readers of a source that it changed. */
  touch(source: Source): void;
  /** Forgets nodes that nothing reads or holds any more. */
  sweep(): void;
}

interface Derivation {
  readonly node: Node;
  reads: Source[];
  readonly seen: Set<Source>;
}

/** `reader` is what derivations are given; it must call `track` for each thing read. */
export function createGraph(reader: () => Read): Graph {
  const nodes = new Map<View<unknown>, Map<string, Node>>();
  const running: Derivation[] = [];
  let orphans: Node[] = [];

  const graph: Graph = {
    revision: 1,
    derivations: 0,
    node(view, key) {
      let byKey = nodes.get(view);
      if (byKey === undefined) nodes.set(view, (byKey = new Map()));
      let node = byKey.get(key);
      if (node === undefined) byKey.set(key, (node = newNode(view, key)));
      return node;
    },
    refresh(node) {
      if (node.state === 'deriving') throw new Error(`${path()} reads itself`);
      if (node.state === 'check') settleCheck(node);
      if (node.state === 'dirty') derive(node);
      return node.value;
    },
    track(source) {
      const top = running.at(-1);
      if (top === undefined || top.seen.has(source)) return;
      top.seen.add(source);
      top.reads.push(source);
    },
    touch(source) {
      source.changedAt = graph.revision;
      source.readers.forEach((node) => mark(node, 'dirty'));
    },
    sweep() {
      for (let node = orphans.pop(); node !== undefined; node = orphans.pop()) forget(node);
      orphans = [];
    },
  };

  function path(): string {
    return running.map(({ node }) => `${node.view.name}(${node.key})`).join(' > ');
  }

  function mark(node: Node, state: 'check' | 'dirty'): void {
    const was = node.state;
    if (was === 'dirty' || was === state) return;
    node.state = state;
    if (was !== 'clean') return;
    node.wake?.();
    node.readers.forEach((reading) => mark(reading, 'check'));
  }

  function settleCheck(node: Node): void {
    for (const source of node.reads) {
      if (isNode(source)) graph.refresh(source);
      if (source.changedAt > node.verifiedAt) {
        node.state = 'dirty';
        return;
      }
    }
    node.state = 'clean';
    node.verifiedAt = graph.revision;
  }

  function derive(node: Node): void {
    const derivation: Derivation = { node, reads: [], seen: new Set() };
    node.state = 'deriving';
    running.push(derivation);
    graph.derivations += 1;
    try {
      const value = node.view.derive(node.key, reader());
      if (!equal(value, node.value)) {
        node.value = value;
        node.changedAt = graph.revision;
      }
      node.state = 'clean';
      node.verifiedAt = graph.revision;
    } finally {
      running.pop();
      if (node.state === 'deriving') node.state = 'dirty';
      relink(node, derivation.reads);
    }
  }

  /** Only where old and new reads differ are links touched: a node that reads thousands mostly reads the same again. */
  function relink(node: Node, reads: Source[]): void {
    const before = node.reads;
    node.reads = reads;
    let same = 0;
    while (same < reads.length && reads[same] === before[same]) same += 1;
    if (same === reads.length && same === before.length) return;
    const kept = new Set(reads);
    for (let at = same; at < reads.length; at += 1) reads[at]!.readers.add(node);
    for (let at = same; at < before.length; at += 1) if (!kept.has(before[at]!)) unlink(before[at]!, node);
  }

  function unlink(source: Source, node: Node): void {
    source.readers.delete(node);
    if (isNode(source) && source.readers.size === 0 && source.wake === undefined) orphans.push(source);
  }

  function forget(node: Node): void {
    if (node.readers.size > 0 || node.wake !== undefined) return;
    if (nodes.get(node.view)?.get(node.key) !== node) return;
    nodes.get(node.view)?.delete(node.key);
    node.reads.forEach((source) => unlink(source, node));
    node.reads = [];
  }

  return graph;
}

function newNode(view: View<unknown>, key: string): Node {
  return {
    name: view.name,
    view,
    key,
    state: 'dirty',
    value: undefined,
    changedAt: 0,
    verifiedAt: 0,
    reads: [],
    readers: new Set(),
    wake: undefined,
  };
}

export function isNode(source: Source): source is Node {
  return 'view' in source;
}
