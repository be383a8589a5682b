import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Plane } from '../plane.ts';
import { planeMetadata } from './metadata.ts';
import { planeName } from './objectnames.ts';

/** An identity without rights and without token: the data plane never speaks to the API server. */
export class ServiceAccount extends k8s.KubeServiceAccount {
  constructor(scope: Construct, plane: Plane) {
    super(scope, 'service-account', {
      metadata: planeMetadata(plane, planeName(plane)),
      automountServiceAccountToken: false,
    });
  }
}
