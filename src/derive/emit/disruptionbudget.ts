import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Plane } from '../plane.ts';
import { planeSelector } from './labels.ts';
import { planeMetadata } from './metadata.ts';
import { planeName } from './objectnames.ts';

/**
 * One pod at a time over all Deployments of the plane. Only for a plane of several pods: for one it would block every drain of its node.
 * A pod that is not ready may always be evicted, so that a broken plane does not block one either.
 */
export class DisruptionBudget extends k8s.KubePodDisruptionBudget {
  constructor(scope: Construct, plane: Plane) {
    super(scope, 'disruption-budget', {
      metadata: planeMetadata(plane, planeName(plane)),
      spec: {
        maxUnavailable: k8s.IntOrString.fromNumber(1),
        selector: { matchLabels: planeSelector(plane) },
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      },
    });
  }
}
