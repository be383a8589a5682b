import type { k8s } from 'cdk8s-plus-28';
import type { Plane } from '../plane.ts';
import { planeLabels, replicaLabels } from './labels.ts';

/** Name, namespace and our labels of an object of the plane. */
export function planeMetadata(plane: Plane, name: string): k8s.ObjectMeta & { readonly name: string } {
  return { name, namespace: plane.namespace, labels: planeLabels(plane) };
}

/** The same for an object of one replica. */
export function replicaMetadata(
  plane: Plane,
  name: string,
  replica: string,
): k8s.ObjectMeta & { readonly name: string } {
  return { name, namespace: plane.namespace, labels: replicaLabels(plane, replica) };
}
