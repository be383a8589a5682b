/** A Lease as a record of who leads. Source: Kubernetes, coordination.k8s.io/v1 LeaseSpec; client-go, tools/leaderelection. */
import type { KubeObject, ObjectMeta } from '../../facts/object.ts';
import { microTime } from './microtime.ts';

export interface LeaseSpec {
  /** Empty: released. */
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  readonly spec: LeaseSpec;
}

export interface LeaseHolder {
  readonly identity: string;
  /** In seconds. */
  readonly duration: number;
}

/** The first Lease. */
export function newLease(metadata: ObjectMeta, { identity, duration }: LeaseHolder, now: Date): Lease {
  const time = microTime(now);
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: duration,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: 0,
  };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
}

/** What changes when `identity` takes the Lease over, or renews its own. */
export function heldSpec({ spec }: Lease, { identity, duration }: LeaseHolder, now: Date): LeaseSpec {
  const time = microTime(now);
  const held = { holderIdentity: identity, leaseDurationSeconds: duration, renewTime: time };
  if (spec.holderIdentity === identity) return held;
  return { ...held, acquireTime: time, leaseTransitions: (spec.leaseTransitions ?? 0) + 1 };
}

/** What changes when it is given back: whoever looks next may take it. */
export function releasedSpec(now: Date): LeaseSpec {
  return { holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(now) };
}
