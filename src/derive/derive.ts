import type { FactStore } from '../facts/store.ts';
import type { Explained } from './engine/engine.ts';
import type { Finding, PlaneResult, StatusClaim } from './results.ts';

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
  /** Everything that was read for the results of each rule, by rule name: facts as `<Kind>/<key>`, sorted. */
  reads(): ReadonlyMap<string, readonly string[]>;
  explain(rule: string, key: string): readonly Explained[];
  /** Derivations run so far. */
  derivations(): number;
}

/** What the last `settle` changed. */
export interface DerivedChanges {
  readonly planes: readonly string[];
  readonly statuses: readonly string[];
  readonly findings: boolean;
}

/** The store must hold a ControllerSettings object before the first `settle`. */
export declare function createDerivation(store: FactStore): Derivation;
