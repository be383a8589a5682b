import assert from 'node:assert/strict';
import { clusterGrants, leaseName, namespaceGrants, type Grant } from '../../scripts/chart/rbac.ts';
import type { PolicyRule } from '../../src/effects/kube/rbac.ts';
import { neededLeaseRules, neededRules } from '../../src/operator/uses.ts';

/** The chart grants what the operator does. What it grants beyond that is reported by the audit of a run, not here. */
describe('what the operator does', () => {
  it('is granted by the chart in all namespaces', () => {
    assert.deepEqual(missing(neededRules(), clusterGrants), []);
  });

  it('is granted by the chart in its own namespace', () => {
    assert.deepEqual(missing(neededLeaseRules(leaseName), namespaceGrants), []);
  });
});

function missing(needed: readonly PolicyRule[], grants: readonly Grant[]): string[] {
  const granted = new Set(
    grants.flatMap(({ group, resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
    ),
  );
  return needed
    .flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group}/${resource}`)),
      ),
    )
    .filter((right) => !granted.has(right));
}
