import type { Index, Rule } from './declare.ts';
import { newSource, nodeOf, refresh, release, touch, type Graph, type Node, type Source } from './graph.ts';

/** An index or a rule at work: one node for each member. */
export interface Stage {
  readonly declared: Index | Rule<unknown>;
  /** Place in the reading order. */
  readonly position: number;
  /** Members that came, went, or may give another result. */
  readonly pending: Set<string>;
  readonly members: Map<string, Member>;
  /** Of an index: the members under each key. */
  readonly buckets: Map<string, Bucket>;
  /** The stages whose members are the keys of this index. */
  readonly followers: Stage[];
}

interface Member {
  readonly node: Node;
  /** What the member's view gave last: of an index, the keys it is filed under. */
  value: unknown;
}

/** Kept when it becomes empty, as readers hold on to its source. */
interface Bucket {
  readonly source: Source;
  readonly members: Set<string>;
  sorted: readonly string[] | undefined;
}

/** What a rule's member gave before and now. */
export type Told = (key: string, before: unknown, after: unknown) => void;

export function createStage(declared: Index | Rule<unknown>, position: number): Stage {
  return { declared, position, pending: new Set(), members: new Map(), buckets: new Map(), followers: [] };
}

/** The bucket of an index at a key, made when first asked for. */
export function bucketOf(stage: Stage, key: string): Bucket {
  let bucket = stage.buckets.get(key);
  if (bucket === undefined) {
    bucket = { source: newSource(stage.declared.name, key), members: new Set(), sorted: undefined };
    stage.buckets.set(key, bucket);
  }
  return bucket;
}

/** The members under a key, sorted by code unit. */
export function membersOf(bucket: Bucket): readonly string[] {
  return (bucket.sorted ??= [...bucket.members].toSorted());
}

/** A stage being brought up to date. */
export interface Settling {
  readonly graph: Graph;
  readonly stage: Stage;
  /** Whether a key is still a member of the stage's source. */
  readonly exists: (key: string) => boolean;
  readonly told: Told;
}

/** Brings every pending member up to date. */
export function settleStage(settling: Settling): void {
  const { stage, exists } = settling;
  for (const key of stage.pending) {
    const member = stage.members.get(key);
    if (exists(key)) refile(settling, member ?? join(settling, key));
    else if (member !== undefined) leave(settling, member);
  }
  stage.pending.clear();
}

function join({ graph, stage }: Settling, key: string): Member {
  const { declared } = stage;
  const node = nodeOf(graph, declared.type === 'index' ? declared.by : declared.emit, key);
  node.wake = () => stage.pending.add(key);
  const member: Member = { node, value: undefined };
  stage.members.set(key, member);
  return member;
}

function refile(settling: Settling, member: Member): void {
  move(settling, member, refresh(settling.graph, member.node));
}

function leave(settling: Settling, member: Member): void {
  move(settling, member, undefined);
  settling.stage.members.delete(member.node.key);
  release(settling.graph, member.node);
}

function move(settling: Settling, member: Member, value: unknown): void {
  const { key } = member.node;
  const before = member.value;
  if (value === before) return;
  member.value = value;
  if (settling.stage.declared.type === 'rule') return settling.told(key, before, value);
  const was = new Set(before as readonly string[] | undefined);
  const now = new Set(value as readonly string[] | undefined);
  for (const each of was) if (!now.has(each)) changeBucket(settling, each, (members) => members.delete(key));
  for (const each of now) if (!was.has(each)) changeBucket(settling, each, (members) => members.add(key));
}

function changeBucket({ graph, stage }: Settling, key: string, change: (members: Set<string>) => void): void {
  const bucket = bucketOf(stage, key);
  const had = bucket.members.size > 0;
  change(bucket.members);
  bucket.sorted = undefined;
  touch(graph, bucket.source);
  if (had !== bucket.members.size > 0) for (const follower of stage.followers) follower.pending.add(key);
}
