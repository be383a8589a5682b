/** What a data plane becomes, but for its routing table and endpoints, which change far more often. */
import type { KubeObject } from '../../facts/object.ts';
import type { Plane, ReplicaPlacement } from '../plane.ts';
import { DisruptionBudget } from './disruptionbudget.ts';
import { NetworkPolicy } from './networkpolicy.ts';
import { planeOwned, sorted } from './objects.ts';
import { deploymentContract } from './contract.ts';
import { patched } from './patches.ts';
import type { Patched } from './patches.ts';
import { placed } from './placement.ts';
import { ProxyDeployment } from './proxydeployment.ts';
import { withResources } from './resources.ts';
import { Service } from './service.ts';
import { ServiceAccount } from './serviceaccount.ts';
import { VerticalPodAutoscaler } from './verticalpodautoscaler.ts';

export interface PlaneObjects {
  /** Sorted by kind and name. */
  readonly objects: readonly KubeObject[];
  /** One sentence that says why there are no Deployments and nothing that goes with them. What runs must then stay as it is: no prune. */
  readonly problem?: string;
}

/** ServiceAccount and NetworkPolicy, a Service if asked for; a Deployment for each replica, its autoscaler if asked for; a PodDisruptionBudget where there are several pods. */
export function planeObjects(plane: Plane): PlaneObjects {
  const { replicas, autoscaling, service } = plane.settings;
  const results = replicas.map((replica) => replicaDeployment(plane, replica));
  const problem = results.find((result) => result.problem !== undefined)?.problem;
  const deployments = problem === undefined ? results.flatMap(({ object }) => object ?? []) : [];
  const others = planeOwned(plane, (scope) => {
    new ServiceAccount(scope, plane);
    new NetworkPolicy(scope, plane);
    if (service !== undefined) new Service(scope, plane, service);
    if (problem !== undefined) return;
    if (podsOf(deployments) > 1) new DisruptionBudget(scope, plane);
    if (autoscaling === undefined) return;
    for (const { name } of replicas) new VerticalPodAutoscaler(scope, plane, { replica: name, autoscaling });
  });
  const objects = sorted([...others, ...deployments]);
  return problem === undefined ? { objects } : { objects, problem };
}

/** Built, then patched by the user, then placed. */
function replicaDeployment(plane: Plane, replica: ReplicaPlacement): Patched {
  const [built] = planeOwned(plane, (scope) => new ProxyDeployment(scope, plane, replica.name));
  if (!built) return { problem: `replica ${replica.name} has no Deployment` };
  const { resources, patches } = plane.settings;
  const result = patched(withResources(built, resources), patches, deploymentContract(built));
  return result.object ? { object: placed(result.object, replica) } : result;
}

function podsOf(deployments: readonly KubeObject[]): number {
  return deployments.reduce((sum, { spec }) => sum + ((spec as { replicas?: number }).replicas ?? 1), 0);
}
