/** What all containers of a data plane have in common, each field that the API server would default named. */
import { k8s } from 'cdk8s-plus-28';

/** User and group of both containers; no file of theirs belongs to it. */
export const nobody = 65_532;

/** The `restricted` Pod Security Standard and a root file system that cannot be written. */
export const restricted: k8s.SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  privileged: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: nobody,
  runAsGroup: nobody,
  seccompProfile: { type: 'RuntimeDefault' },
};

/** The last lines of the log become the message of a container that failed. */
export const termination = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'FallbackToLogsOnError',
} as const;

export function httpGet(port: number, path: string): k8s.HttpGetAction {
  return { path, port: k8s.IntOrString.fromNumber(port), scheme: 'HTTP' };
}

/** Seconds, and how often in a row it must fail. */
export interface ProbeTimes {
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

export function probe(port: number, path: string, times: ProbeTimes): k8s.Probe {
  return { httpGet: httpGet(port, path), ...times, successThreshold: 1 };
}

/** Requests, and a limit of memory. CPU has no limit: throttling shows as latency of every request. */
export function resources(cpu: string, memory: string, memoryLimit: string): k8s.ResourceRequirements {
  return {
    requests: { cpu: k8s.Quantity.fromString(cpu), memory: k8s.Quantity.fromString(memory) },
    limits: { memory: k8s.Quantity.fromString(memoryLimit) },
  };
}
