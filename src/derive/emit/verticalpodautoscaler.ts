import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubeObject } from '../../facts/object.ts';
import type { Autoscaling, Plane } from '../plane.ts';
import { connectorName } from './connectorcontainer.ts';
import { replicaMetadata } from './metadata.ts';
import { deploymentName } from './objectnames.ts';
import { proxyName } from './proxycontainer.ts';

/**
 * Sets the resources of one Deployment's containers while they run. Source: gateway parameters, `tunnel.autoscaling`.
 * `minReplicas` 1, because the updater otherwise leaves a Deployment of one pod alone.
 */
export class VerticalPodAutoscaler extends ApiObject {
  readonly #autoscaling: Autoscaling;

  constructor(scope: Construct, plane: Plane, { replica, autoscaling }: { replica: string; autoscaling: Autoscaling }) {
    const name = deploymentName(plane, replica);
    super(scope, `vertical-pod-autoscaler-${replica}`, {
      apiVersion: 'autoscaling.k8s.io/v1',
      kind: 'VerticalPodAutoscaler',
      metadata: replicaMetadata(plane, name, replica),
      spec: {
        targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        updatePolicy: { updateMode: 'InPlaceOrRecreate', minReplicas: 1 },
      },
    });
    this.#autoscaling = autoscaling;
  }

  /** The bounds are added as the user wrote them: cdk8s would refuse a map with a key such as `constructor`. */
  override toJson(): KubeObject {
    const json = super.toJson() as KubeObject;
    const { controlledResources, controlledValues, minAllowed, maxAllowed } = this.#autoscaling;
    const containerPolicies = [connectorName, proxyName].map((containerName) => ({
      containerName,
      mode: 'Auto',
      controlledResources: controlledResources ?? ['cpu', 'memory'],
      controlledValues: controlledValues ?? 'RequestsAndLimits',
      ...(minAllowed === undefined ? {} : { minAllowed }),
      ...(maxAllowed === undefined ? {} : { maxAllowed }),
    }));
    return { ...json, spec: { ...(json.spec as object), resourcePolicy: { containerPolicies } } };
  }
}
