import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import type { Plane } from '../plane.ts';
import { connectorContainer, connectorName } from './connectorcontainer.ts';
import { nobody } from './container.ts';
import { terminationGracePeriodSeconds } from './graceperiods.ts';
import { planeSelector, replicaLabels, replicaSelector } from './labels.ts';
import { replicaMetadata } from './metadata.ts';
import { deploymentName, planeName } from './objectnames.ts';
import { proxyContainer } from './proxycontainer.ts';
import { volumes } from './volumes.ts';

/**
 * One pod of a data plane: proxy and cloudflared. Every field that cdk8s or the API server would default is named, except `serviceAccount`, an
 * old second name that the API server keeps equal to `serviceAccountName`, and zeros, which it does not store.
 * Source: DESIGN, "What a Gateway becomes"; seed: "Per-Gateway data plane".
 */
export class ProxyDeployment extends k8s.KubeDeployment {
  constructor(scope: Construct, plane: Plane, replica: string) {
    super(scope, `deployment-${replica}`, {
      metadata: replicaMetadata(plane, deploymentName(plane, replica), replica),
      spec: {
        ...rollOut(plane),
        selector: { matchLabels: replicaSelector(plane, replica) },
        template: template(plane, replica),
      },
    });
  }
}

/**
 * The new pod comes first and must have been ready for minReadySeconds before the old one goes: with one pod there is never none, and the edge
 * knows the new connectors before the old ones leave.
 */
function rollOut({ settings: { minReadySeconds } }: Plane): Omit<k8s.DeploymentSpec, 'selector' | 'template'> {
  return {
    replicas: 1,
    revisionHistoryLimit: 3,
    ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
    progressDeadlineSeconds: minReadySeconds + 60,
    strategy: {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: k8s.IntOrString.fromNumber(1), maxUnavailable: k8s.IntOrString.fromNumber(0) },
    },
  };
}

function template(plane: Plane, replica: string): k8s.PodTemplateSpec {
  const secrets = plane.settings.imagePullSecrets.map((name) => ({ name }));
  return {
    metadata: {
      labels: replicaLabels(plane, replica),
      annotations: { 'kubectl.kubernetes.io/default-container': connectorName },
    },
    spec: {
      initContainers: [proxyContainer(plane)],
      containers: [connectorContainer(plane)],
      volumes: volumes(plane),
      serviceAccountName: planeName(plane),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(secrets.length === 0 ? {} : { imagePullSecrets: secrets }),
      securityContext: {
        fsGroup: nobody,
        runAsGroup: nobody,
        runAsNonRoot: true,
        runAsUser: nobody,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((key) =>
        spread(plane, key),
      ),
      terminationGracePeriodSeconds,
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
    },
  };
}

/** All pods of the plane apart from each other where that can be had; a plane that cannot be spread still runs. */
function spread(plane: Plane, topologyKey: string): k8s.TopologySpreadConstraint {
  return {
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: planeSelector(plane) },
    nodeAffinityPolicy: 'Honor',
    nodeTaintsPolicy: 'Honor',
  };
}
