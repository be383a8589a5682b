import type { FactStore } from '../facts/store.ts';
import type { Read } from './engine/declare.ts';
import { createEngine, type Emitted, type Explained } from './engine/engine.ts';
import type { CloudflareDesired, Finding, PlaneResult, StatusClaim } from './results.ts';
import {
  cloudflareRecords,
  dataPlane,
  publishedEndpoints,
  publishedTable,
  type DataPlane,
  type PublishedEndpoints,
  type PublishedTable,
} from './rules/dataplane.ts';
import { findingRules, readingOrder, statusRules } from './rules/readingorder.ts';

/** All rules at work on a store of facts: what the operator, `render`, `route`, `serve` and the golden tests run. */
export interface Derivation {
  /** Brings every result up to date with the store; returns the keys of what came out differently. */
  settle(): DerivedChanges;
  /** By id, sorted. */
  planes(): ReadonlyMap<string, PlaneResult>;
  /** By `<Kind>/<key>`, sorted. */
  statuses(): ReadonlyMap<string, StatusClaim>;
  /** Sorted by object, code and path. */
  findings(): readonly Finding[];
  /** What the results of each view were made of, by the name of the view: facts as `<Kind>/<key>`, indexes as `<index>/<key>`, sorted. */
  reads(): ReadonlyMap<string, readonly string[]>;
  /** What one result of a view was made of. Throws for a view there is none of. */
  explain(name: string, key: string): readonly Explained[];
  /** One result of a view, as a rule would read it. */
  readonly read: Read;
  /** Derivations run so far. */
  derivations(): number;
}

/** What the last `settle` changed. */
export interface DerivedChanges {
  /** Ids of planes of which anything changed, those that came and went among them. */
  readonly planes: readonly string[];
  /** `<Kind>/<key>` of objects whose status changed. */
  readonly statuses: readonly string[];
  readonly findings: boolean;
}

/** The store must hold a ControllerSettings object before the first `settle`. */
export function createDerivation(store: FactStore): Derivation {
  const engine = createEngine(store, readingOrder);
  const results = new Map(readingOrder.map(({ name }) => [name, new Map<string, unknown>()]));
  const emitted = <T>(name: string): ReadonlyMap<string, T> => results.get(name) as ReadonlyMap<string, T>;
  const planeRules = [dataPlane, publishedTable, publishedEndpoints, cloudflareRecords].map(({ name }) => name);
  return {
    settle() {
      const changes = engine.settle();
      for (const [name, list] of changes) keep(results.get(name), list);
      return summary(changes, planeRules);
    },
    planes: () =>
      sorted(
        [...emitted<DataPlane>(dataPlane.name)].map(([id, { objects, ...built }]): [string, PlaneResult] => {
          const table = emitted<PublishedTable>(publishedTable.name).get(id);
          const endpoints = emitted<PublishedEndpoints>(publishedEndpoints.name).get(id);
          const cloudflare = emitted<CloudflareDesired>(cloudflareRecords.name).get(id);
          if (table === undefined || endpoints === undefined || cloudflare === undefined)
            throw new Error(`plane ${id} has no table`);
          const all = [...objects, ...table.objects, ...endpoints.objects].toSorted(byKindAndName);
          return [id, { ...built, objects: all, table: table.table, endpoints: endpoints.text, cloudflare }];
        }),
      ),
    statuses: () =>
      sorted(
        statusRules.flatMap(({ name }) =>
          [...emitted<StatusClaim>(name)].map(([key, claim]): [string, StatusClaim] => [`${claim.kind}/${key}`, claim]),
        ),
      ),
    findings: () =>
      unique(findingRules.flatMap(({ name }) => [...emitted<readonly Finding[]>(name).values()].flat())).toSorted(
        byObject,
      ),
    reads: () => engine.reads(),
    explain: (name, key) => engine.explain(engine.view(name), key),
    read: engine.read,
    derivations: () => engine.derivations(),
  };
}

function keep(results: Map<string, unknown> | undefined, list: readonly Emitted[]): void {
  for (const { key, after } of list) {
    if (after === undefined) results?.delete(key);
    else results?.set(key, after);
  }
}

function summary(changes: ReadonlyMap<string, readonly Emitted[]>, planeRules: readonly string[]): DerivedChanges {
  const keys = (name: string): readonly string[] => (changes.get(name) ?? []).map(({ key }) => key);
  const statuses = statusRules.flatMap(({ name }) =>
    (changes.get(name) ?? []).map(({ key, before, after }) => `${((after ?? before) as StatusClaim).kind}/${key}`),
  );
  return {
    planes: [...new Set(planeRules.flatMap(keys))].toSorted(),
    statuses: statuses.toSorted(),
    findings: findingRules.some(({ name }) => changes.has(name)),
  };
}

function sorted<T>(entries: readonly [string, T][]): ReadonlyMap<string, T> {
  return new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** What is wrong with a class is found for each Gateway of it, and is one finding all the same. */
function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

function byKindAndName(a: { kind: string; metadata: { name: string } }, b: typeof a): number {
  return text(a.kind, b.kind) || text(a.metadata.name, b.metadata.name);
}

function byObject(a: Finding, b: Finding): number {
  const key = ({ kind, namespace, name }: Finding): string => `${kind}/${namespace ?? ''}/${name}`;
  return (
    text(key(a), key(b)) ||
    text(a.code, b.code) ||
    text(JSON.stringify(a.path ?? []), JSON.stringify(b.path ?? [])) ||
    text(a.message, b.message)
  );
}

function text(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
