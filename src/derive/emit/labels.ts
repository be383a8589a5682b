/** The labels of everything a data plane becomes, and those its pods are selected by. */
import { labels as keys, managedBy } from '../../api/names.ts';
import type { Plane } from '../plane.ts';
import { labelValue } from './objectnames.ts';

type Labels = Record<string, string>;

const application = 'cloudflare-gateway';

/** All pods of the plane. A Deployment's selector can never be changed, so nothing may enter here that ever changes. */
export function planeSelector(plane: Pick<Plane, 'name'>): Labels {
  return { [keys.name]: application, [keys.instance]: labelValue(plane.name) };
}

/** The pods of one Deployment of the plane. */
export function replicaSelector(plane: Pick<Plane, 'name'>, replica: string): Labels {
  return { ...planeSelector(plane), [keys.replica]: labelValue(replica) };
}

/** On every object of the plane. The label of the Gateway is there where the plane serves one only: a label has one value. */
export function planeLabels(plane: Plane): Labels {
  const [gateway, ...others] = plane.gateways;
  const one = gateway !== undefined && others.length === 0 ? gateway.slice(gateway.indexOf('/') + 1) : undefined;
  return {
    ...planeSelector(plane),
    [keys.component]: 'data-plane',
    [keys.managedBy]: managedBy,
    [keys.gatewayClassName]: labelValue(plane.gatewayClassName),
    ...(one === undefined ? {} : { [keys.gatewayName]: labelValue(one) }),
  };
}

/** On a Deployment, its pods and its autoscaler. */
export function replicaLabels(plane: Plane, replica: string): Labels {
  return { ...planeLabels(plane), ...replicaSelector(plane, replica) };
}
