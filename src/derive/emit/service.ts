import { k8s } from 'cdk8s-plus-28';
import type { Construct } from 'constructs';
import { doorPorts } from '../../table/ports.ts';
import type { ListenerPort, Plane, ServiceSettings } from '../plane.ts';
import { planeSelector } from './labels.ts';
import { planeMetadata } from './metadata.ts';
import { serviceName } from './objectnames.ts';

/**
 * A Service that listens on the ports of the listeners, in front of the same proxies as the tunnel. A port of it leads to the door of that
 * port in the pods. Source: decisions, "Listener ports"; issue "In-cluster listener".
 */
export class Service extends k8s.KubeService {
  constructor(scope: Construct, plane: Plane, settings: ServiceSettings) {
    const { type, annotations, loadBalancerClass, externalTrafficPolicy } = settings;
    super(scope, 'service', {
      metadata: {
        ...planeMetadata(plane, serviceName(plane)),
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      },
      spec: {
        type,
        selector: planeSelector(plane),
        ports: servicePorts(plane.ports),
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }),
        ...(externalTrafficPolicy === undefined ? {} : { externalTrafficPolicy }),
      },
    });
  }
}

/** Named by protocol and port, so that a name stays as long as the port means the same. */
function servicePorts(ports: readonly ListenerPort[]): k8s.ServicePort[] {
  const doors = doorPorts(ports.map(({ port }) => port));
  return ports.map(({ port, protocol }) => ({
    name: `${protocol.toLowerCase()}-${port}`,
    protocol: 'TCP',
    port,
    targetPort: k8s.IntOrString.fromNumber(doors.get(port) ?? port),
  }));
}
