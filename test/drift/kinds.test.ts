import assert from 'node:assert/strict';
import * as declared from '../../src/derive/rules/collections.ts';
import { kinds } from '../../src/facts/schema/kinds.ts';
import { watchedKinds } from '../../src/operator/watchedkinds.ts';

/** Kinds that rules read and no file holds: the operator's own words, and what it sees of what it made. */
const notInFiles = ['CloudflareState', 'ControllerSettings', 'Deployment'];
/** Of those, the ones that are no objects of the cluster. */
const notInCluster = ['CloudflareState', 'ControllerSettings'];

/** A kind that rules read reaches them from files and from the cluster, or it would never be there. */
describe('every kind that rules read', () => {
  const read = Object.values(declared)
    .map(({ name }) => name)
    .toSorted();

  it('is checked where it comes from files', () => {
    const checked = new Set(kinds.map(({ kind }) => kind));
    assert.deepEqual(
      read.filter((kind) => !checked.has(kind)),
      notInFiles,
    );
  });

  it('is watched where it comes from a cluster', () => {
    const watched = new Set(watchedKinds.map(({ kind }) => kind));
    assert.deepEqual(
      read.filter((kind) => !watched.has(kind)),
      notInCluster,
    );
  });
});
