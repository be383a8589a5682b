/** Where a cluster is: everything that tells two clusters on one machine apart follows from its number. */
import { join } from 'node:path';

export interface Place {
  readonly number: number;
  /** All it keeps. */
  readonly folder: string;
  /** Its own cgroup, below the root of every hierarchy. */
  readonly cgroup: string;
  /** The end of its one link that is on the machine's side, and the address there: what a pod dials to reach a test. */
  readonly link: string;
  readonly outside: string;
  /** Address of the node. */
  readonly address: string;
  /** Addresses of pods and of Services. */
  readonly pods: string;
  readonly services: string;
  /** Addresses of the Services "kubernetes" and "kube-dns". */
  readonly apiService: string;
  readonly dns: string;
  /** URL of the API server, from inside and outside. */
  readonly url: string;
}

export const highestNumber = 50;

/** A folder on a disk, whatever TMPDIR says: every user of a number must look in the same place, and images take space. */
const base = '/var/tmp';

/** The place of cluster `number`, 1 to 50. */
export function placeOf(number: number): Place {
  if (!Number.isInteger(number) || number < 1 || number > highestNumber)
    throw new Error(`a cluster's number is a whole number from 1 to ${highestNumber}, not ${number}`);
  const services = `10.${200 + number}`;
  const address = `10.99.${number}.2`;
  return {
    number,
    folder: join(base, `cfgw-cluster-${number}`),
    cgroup: `cfgw-${number}`,
    link: `cfgw${number}`,
    outside: `10.99.${number}.1`,
    address,
    pods: `10.${100 + number}.0.0/24`,
    services: `${services}.0.0/16`,
    apiService: `${services}.0.1`,
    dns: `${services}.0.10`,
    url: `https://${address}:6443`,
  };
}
