import { tableVersion } from '../../table/document.ts';
import { encodeEndpoints } from '../../table/endpoints.ts';
import { compareIds } from '../../table/order.ts';
import { view, type Read } from '../engine/declare.ts';
import { endpointSlices, services, type EndpointSlice, type ServicePort } from './collections.ts';
import { memberOf, presentOf } from './members.ts';
import { planeOf } from './planes.ts';
import { planeBackends } from './routingtable.ts';
import { serviceBackend, servicePortOf, slicesByService } from './services.ts';

/**
 * Ready addresses of a service port, `host:port`, sorted; nothing where they are not known. An address that serves several
 * ports by one name counts once. Spec: EndpointSlice; a missing `ready` counts as ready.
 */
export const readyEndpoints = view('readyEndpoints', (key, read): readonly string[] | undefined => {
  const { service, port } = servicePortOf(key);
  const spec = presentOf(services, service, read)?.spec;
  const named = spec?.ports?.find((each) => each.port === port);
  if (spec === undefined || named === undefined || spec.type === 'ExternalName') return undefined;
  const addresses = read(slicesByService, service).flatMap((slice) =>
    addressesOf(memberOf(endpointSlices, slice, read), named),
  );
  if (addresses.length > 0) return [...new Set(addresses)].toSorted(compareIds);
  return read.all(endpointSlices).when<readonly string[] | undefined>({
    present: () => [],
    absent: () => [],
    unknown: () => undefined,
  });
});

function addressesOf({ addressType, endpoints, ports }: EndpointSlice, { name }: ServicePort): string[] {
  if (addressType === 'FQDN') return [];
  const port = (ports ?? []).find((each) => (each.name ?? '') === (name ?? ''))?.port;
  if (port === undefined) return [];
  const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
  // The addresses of one endpoint are one pod's, and only the first is meant to be used.
  return ready.flatMap(({ addresses: [first] }) => (first === undefined ? [] : [hostPort(first, port)]));
}

function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/**
 * The endpoints document of a plane: backends that are dialled pod by pod, and those that have no ready pod at all. A Service
 * with an address and a ready pod is not in it, so its churn changes nothing. Decisions, "Backends in the table".
 */
export const endpointsDocument = view('endpointsDocument', (plane, read): string => {
  const everyPod = read(planeOf, plane).settings.loadBalancing === 'Endpoints';
  const backends = read(planeBackends, plane).flatMap((id): [string, readonly string[]][] => {
    const listed = listedEndpoints(id.slice('Service/'.length), everyPod, read);
    return listed === undefined ? [] : [[id, listed]];
  });
  return encodeEndpoints({ schema: tableVersion, backends: Object.fromEntries(backends) });
});

function listedEndpoints(key: string, everyPod: boolean, read: Read): readonly string[] | undefined {
  const found = read(serviceBackend, key);
  if (found.state !== 'found' || found.assumed !== undefined) return undefined;
  if (everyPod || found.byEndpoint) return read(readyEndpoints, key);
  return read(hasNoEndpoint, key) ? [] : undefined;
}

/** Kept apart so that a pod that comes or goes stops here. */
const hasNoEndpoint = view('hasNoEndpoint', (key, read): boolean => read(readyEndpoints, key)?.length === 0);
