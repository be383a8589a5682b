/**
 * The rows of one bucket by path: a map of exact paths, and a tree of path elements that holds prefixes and, at the last
 * element their literal beginning completes, patterns. A look-up costs a walk along the path, however many rows there are.
 */
import { prefixValue } from '../../table/path.ts';
import { holds, type Asked, type CompiledRow } from './conditions.ts';

/** Most nodes have one row and no children: what is not there takes no memory, which every reload would have to collect again. */
interface PathNode {
  prefixes: CompiledRow[] | undefined;
  patterns: CompiledRow[] | undefined;
  children: Map<string, PathNode> | undefined;
}

export interface PathIndex {
  readonly exact: Map<string, CompiledRow[]>;
  readonly root: PathNode;
}

export function emptyPathIndex(): PathIndex {
  return { exact: new Map(), root: emptyNode() };
}

/** Rows come in rank order, so every list of the index is in rank order too. */
export function addRow({ exact, root }: PathIndex, row: CompiledRow): void {
  const { type, value } = row.matched.row.path;
  switch (type) {
    case 'Exact':
      exact.set(value, withRow(exact.get(value), row));
      return;
    case 'PathPrefix': {
      const node = nodeAt(root, prefixValue(value));
      node.prefixes = withRow(node.prefixes, row);
      return;
    }
    case 'RegularExpression': {
      const literal = row.pathPattern?.literal ?? '';
      const node = nodeAt(root, literal.slice(0, Math.max(0, literal.lastIndexOf('/'))));
      node.patterns = withRow(node.patterns, row);
    }
  }
}

/** A list made for one row: pushed into an empty one, the row would reserve room for sixteen more. */
function withRow(rows: CompiledRow[] | undefined, row: CompiledRow): CompiledRow[] {
  if (rows === undefined) return [row];
  rows.push(row);
  return rows;
}

/** The row of lowest rank that answers. Patterns come last: by then most are ruled out by their rank alone. */
export function bestRow({ exact, root }: PathIndex, asked: Asked): CompiledRow | undefined {
  const nodes = nodesAlong(root, asked.request.path);
  let best = better(exact.get(asked.request.path), undefined, asked);
  for (const node of nodes) best = better(node.prefixes, best, asked);
  for (const node of nodes) best = better(node.patterns, best, asked);
  return best;
}

function better(
  rows: readonly CompiledRow[] | undefined,
  best: CompiledRow | undefined,
  asked: Asked,
): CompiledRow | undefined {
  if (rows === undefined) return best;
  const limit = best === undefined ? Number.POSITIVE_INFINITY : best.rank;
  for (const row of rows) {
    if (row.rank > limit) return best;
    if (holds(row, asked)) return row;
  }
  return best;
}

/** The nodes of the elements of a path, as far as the tree goes: never further than the longest prefix of the table. */
function nodesAlong(root: PathNode, path: string): PathNode[] {
  const nodes = [root];
  let node: PathNode | undefined = root;
  for (let start = 1; start <= path.length && node.children !== undefined;) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    node = node.children.get(path.slice(start, end));
    if (node === undefined) break;
    nodes.push(node);
    start = end + 1;
  }
  return nodes;
}

/** The node of a prefix, made if it is not there. Neither `/` nor the empty text has an element. */
function nodeAt(root: PathNode, prefix: string): PathNode {
  let node = root;
  if (prefix.length < 2) return node;
  for (const element of prefix.slice(1).split('/')) {
    node.children ??= new Map();
    let child = node.children.get(element);
    if (child === undefined) {
      child = emptyNode();
      node.children.set(element, child);
    }
    node = child;
  }
  return node;
}

function emptyNode(): PathNode {
  return { prefixes: undefined, patterns: undefined, children: undefined };
}
