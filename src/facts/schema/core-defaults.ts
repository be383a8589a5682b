import { isRecord } from './schema.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What the API server fills into Kubernetes' own kinds by code rather than by schema (pkg/apis in k8s.io/kubernetes), as far
 * as a reader of them could notice. A Secret's `stringData` is moved into `data`, as it is when a Secret is written.
 */
export function withCoreDefaults(object: Fields, kind: string): Fields {
  const fill = byKind[kind];
  return fill === undefined ? object : fill(object);
}

const byKind: Readonly<Record<string, (object: Fields) => Fields>> = {
  Service: (service) => (isRecord(service['spec']) ? { ...service, spec: serviceSpec(service['spec']) } : service),
  Secret: (secret) => secretData({ ...secret, type: secret['type'] ?? 'Opaque' }),
  EndpointSlice: (slice) => {
    const named = (port: unknown): unknown =>
      isRecord(port) ? { ...port, name: port['name'] ?? '', protocol: port['protocol'] ?? 'TCP' } : port;
    return Array.isArray(slice['ports']) ? { ...slice, ports: slice['ports'].map(named) } : slice;
  },
};

function serviceSpec(spec: Fields): Fields {
  const type = spec['type'] ?? 'ClusterIP';
  const reachable = type === 'NodePort' || type === 'LoadBalancer';
  return {
    ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }),
    ...(reachable ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
    ...spec,
    type,
    sessionAffinity: spec['sessionAffinity'] ?? 'None',
    ...(Array.isArray(spec['ports']) ? { ports: spec['ports'].map((port: unknown) => servicePort(port)) } : {}),
  };
}

function servicePort(port: unknown): unknown {
  if (!isRecord(port)) return port;
  const { targetPort } = port;
  return {
    ...port,
    targetPort: targetPort === undefined || targetPort === 0 || targetPort === '' ? port['port'] : targetPort,
  };
}

function secretData(secret: Fields): Fields {
  const { stringData, ...rest } = secret;
  if (!isRecord(stringData)) return secret;
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ]);
  return { ...rest, data: { ...(isRecord(rest['data']) ? rest['data'] : {}), ...Object.fromEntries(encoded) } };
}
