import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { labels as keys, managedBy } from '../../api/names.ts';
import { doorPorts } from '../../table/ports.ts';
import type { Plane } from '../plane.ts';
import { adminPort, connectorMetricsPort } from './addresses.ts';
import { planeSelector } from './labels.ts';
import { planeMetadata } from './metadata.ts';
import { planeName } from './objectnames.ts';

/** A namespace with this label may scrape every data plane. A label of the namespace, as only who runs the cluster can set it. */
const scraperLabel = 'cloudflare-gateway-controller.io/scraper';

/**
 * Requests come through the tunnel, that is from inside the pod, and where there is a Service from anywhere to the doors it leads to. Else nobody needs more than the operator, which reads `/status`, and
 * scrapers. cloudflared's port serves its configuration and pprof too. Kubelet's probes come from the node, which a policy never holds up.
 * What goes out is not restricted: backends may be anywhere. Source: decisions, "/drain"; cloudflared facts §10.
 */
export class NetworkPolicy extends k8s.KubeNetworkPolicy {
  constructor(scope: Construct, plane: Plane) {
    super(scope, 'network-policy', {
      metadata: planeMetadata(plane, planeName(plane)),
      spec: {
        podSelector: { matchLabels: planeSelector(plane) },
        policyTypes: ['Ingress'],
        ingress: [
          { from: [operator(plane)], ports: [tcp(adminPort)] },
          {
            from: [{ namespaceSelector: { matchLabels: { [scraperLabel]: 'true' } } }],
            ports: [tcp(adminPort), tcp(connectorMetricsPort)],
          },
          ...doors(plane),
        ],
      },
    });
  }
}

/** A rule without `from` admits everybody; one without ports would admit to all of them. */
function doors({ ports, settings }: Plane): k8s.NetworkPolicyIngressRule[] {
  if (settings.service === undefined || ports.length === 0) return [];
  return [{ ports: [...doorPorts(ports.map(({ port }) => port)).values()].map(tcp) }];
}

/** The operator's pods, where it is known to run. */
function operator({ settings }: Plane): k8s.NetworkPolicyPeer {
  const home = settings.controllerNamespace;
  return {
    namespaceSelector: home === undefined ? {} : { matchLabels: { 'kubernetes.io/metadata.name': home } },
    podSelector: { matchLabels: { [keys.name]: managedBy } },
  };
}

function tcp(port: number): k8s.NetworkPolicyPort {
  return { port: k8s.IntOrString.fromNumber(port), protocol: 'TCP' };
}
