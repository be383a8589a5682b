import { groups } from '../../api/names.ts';
import type { TableBackend } from '../../table/document.ts';
import { index, view, type Read } from '../engine/declare.ts';
import { assumes } from './assumption.ts';
import {
  backendTLSPolicies,
  endpointSlices,
  services,
  settings,
  type Service,
  type ServicePort,
} from './collections.ts';
import { memberOf, presentOf } from './members.ts';

/** A port of a Service, `<namespace>/<name>/<port>`, as a place to send requests to. */
export type ServiceBackend =
  | {
      readonly state: 'found';
      readonly backend: TableBackend;
      /** Not to be dialled as it is: why, and the reason a route's ResolvedRefs has for it. */
      readonly refused?: { readonly reason: string; readonly why: string };
      /** Served, but a hint was not understood. */
      readonly remark?: string;
      /** Pods are dialled themselves: there is no address of the Service to leave the choice to. */
      readonly byEndpoint: boolean;
      /** Taken to exist, as nothing is known of it. */
      readonly assumed?: string;
    }
  | { readonly state: 'absent'; readonly why: string }
  | { readonly state: 'unknown'; readonly why: string };

/** Policies by the Services they target: `<namespace>/<name>`. */
export const policiesByService = index('policiesByService', backendTLSPolicies, (key, read) => {
  const { spec, metadata } = memberOf(backendTLSPolicies, key, read);
  return spec.targetRefs
    .filter(({ group, kind }) => group === groups.core && kind === 'Service')
    .map(({ name }) => `${metadata.namespace ?? ''}/${name}`);
});

/** EndpointSlices by the Service they belong to: `<namespace>/<name>`. */
export const slicesByService = index('slicesByService', endpointSlices, (key, read) => {
  const { metadata } = memberOf(endpointSlices, key, read);
  const service = metadata.labels?.['kubernetes.io/service-name'];
  return service === undefined ? [] : [`${metadata.namespace ?? ''}/${service}`];
});

/** Parts of the key of a service port. */
export function servicePortOf(key: string): {
  readonly service: string;
  readonly name: string;
  readonly namespace: string;
  readonly port: number;
} {
  const [namespace = '', name = '', port = ''] = key.split('/');
  return { service: `${namespace}/${name}`, namespace, name, port: Number(port) };
}

/** Seeds: "Backend Protocol", "Traffic Splitting and Load Balancing"; decisions, "Backends in the table". */
export const serviceBackend = view('serviceBackend', (key, read): ServiceBackend => {
  const { service, name, namespace, port } = servicePortOf(key);
  return read(services, service).when<ServiceBackend>({
    present: (object) => {
      const found = portOf(object, port);
      if (found === undefined) return { state: 'absent', why: noPort(service, port, object) };
      const closing = policyFor(key, found, read);
      if (closing?.is === 'unknown') return { state: 'unknown', why: closing.why };
      const byEndpoint = isByEndpoint(object);
      return {
        state: 'found',
        ...dialled(key, found, closing?.why, read),
        byEndpoint,
        ...(byEndpoint ? assumedSlices(service, read) : {}),
      };
    },
    absent: () => ({ state: 'absent', why: `Service ${service} does not exist` }),
    unknown: (why) => {
      const { assumeUnknown, clusterDomain } = memberOf(settings, 'settings', read).spec;
      if (!assumeUnknown) return { state: 'unknown', why };
      const host = `${name}.${namespace}.svc.${clusterDomain}`;
      return {
        state: 'found',
        backend: { protocol: 'http1', host, port },
        byEndpoint: false,
        assumed: `Service ${service}`,
      };
    },
  });
});

/** An ExternalName is only a name: where it lists no port, every port is as good. */
function portOf({ spec: { type, ports = [] } }: Service, port: number): ServicePort | undefined {
  if (type === 'ExternalName' && ports.length === 0) return { port };
  return ports.find((each) => each.port === port);
}

/** Without slices, the name of a Service that is dialled pod by pod is all there is to dial. */
function assumedSlices(service: string, read: Read): { readonly assumed?: string } {
  if (!assumes(read) || read(slicesByService, service).length > 0) return {};
  return read.all(endpointSlices).when<{ readonly assumed?: string }>({
    present: () => ({}),
    absent: () => ({}),
    unknown: () => ({ assumed: `EndpointSlice of Service ${service}` }),
  });
}

function noPort(service: string, port: number, { spec }: Service): string {
  const ports = (spec.ports ?? []).map((each) => each.port).join(', ');
  return `Service ${service} has no port ${port}${ports === '' ? '' : `, only ${ports}`}`;
}

function isByEndpoint({ spec }: Service): boolean {
  if (spec.type === 'ExternalName') return false;
  return spec.clusterIP === 'None' || Object.keys(spec.selector ?? {}).length === 0;
}

type Dialled = {
  readonly backend: TableBackend;
  readonly refused?: { reason: string; why: string };
  readonly remark?: string;
};

function dialled(key: string, found: ServicePort, closing: string | undefined, read: Read): Dialled {
  const { namespace, name, port } = servicePortOf(key);
  const host = `${name}.${namespace}.svc.${memberOf(settings, 'settings', read).spec.clusterDomain}`;
  const plain: TableBackend = { protocol: 'http1', host, port };
  if (closing !== undefined) return { backend: plain, refused: { reason: 'InvalidBackendTLSPolicy', why: closing } };
  switch (found.appProtocol) {
    case undefined:
      return { backend: port === 443 ? { ...plain, protocol: 'https' } : plain };
    case 'http':
    case 'HTTP':
      return { backend: plain };
    case 'kubernetes.io/h2c':
      return { backend: { ...plain, protocol: 'h2c' } };
    case 'kubernetes.io/ws':
      return { backend: { ...plain, websocket: true } };
    case 'https':
    case 'HTTPS':
    case 'kubernetes.io/wss':
      return { backend: plain, refused: { reason: 'UnsupportedProtocol', why: needsPolicy(key, found.appProtocol) } };
    default:
      return {
        backend: plain,
        remark: `port ${port} of Service ${namespace}/${name} has appProtocol ${found.appProtocol}, which is not known here; it is served as HTTP/1.1`,
      };
  }
}

/** Seed: never plaintext to a backend that asked for TLS. */
function needsPolicy(key: string, appProtocol: string): string {
  const { service, port } = servicePortOf(key);
  return `port ${port} of Service ${service} has appProtocol ${appProtocol} and no BackendTLSPolicy says how to verify it; add one, or remove the appProtocol`;
}

/** What a policy does to a port: it closes it, or it cannot be told whether there is one. */
interface Closing {
  readonly is: 'closed' | 'unknown';
  readonly why: string;
}

/**
 * Seed, "Fail-closed enforcement": a policy that cannot be enforced closes the backend, and this version enforces none. While policies cannot
 * be read, nothing new is sent anywhere: it might be plaintext to a backend that asked for TLS.
 */
function policyFor(key: string, { name }: ServicePort, read: Read): Closing | undefined {
  const { service } = servicePortOf(key);
  const policy = read(policiesByService, service).find((each) => {
    const targets = presentOf(backendTLSPolicies, each, read)?.spec.targetRefs ?? [];
    return targets.some(
      (target) =>
        target.kind === 'Service' && service.endsWith(`/${target.name}`) && (target.sectionName ?? name) === name,
    );
  });
  if (policy !== undefined) return { is: 'closed', why: closedBy(policy, service) };
  return read.all(backendTLSPolicies).when<Closing | undefined>({
    present: () => undefined,
    absent: () => undefined,
    unknown: (why) =>
      assumes(read)
        ? undefined
        : { is: 'unknown', why: `whether a BackendTLSPolicy targets Service ${service} cannot be told: ${why}` },
  });
}

function closedBy(policy: string, service: string): string {
  return `BackendTLSPolicy ${policy} targets Service ${service}, and this version does not enforce BackendTLSPolicy yet: requests are refused rather than sent in plaintext`;
}
