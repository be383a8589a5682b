import { isIPv4, isIPv6 } from 'node:net';
import { dataKey, dnsLabel, portName } from './names.ts';
import type { Path } from '../fieldpath.ts';
import { isRecord, type Report } from './schema.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = (object: Fields, report: Report) => void;

/** Reports what the API server refuses in Kubernetes' own kinds by code rather than by schema, as far as rules read it. */
export function checkCore(object: Fields, kind: string, report: Report): void {
  byKind[kind]?.(object, report);
}

const byKind: Readonly<Record<string, Check>> = {
  Service: (service, report) => {
    if (isRecord(service['spec'])) checkService(service['spec'], report);
    else report(['spec'], 'is required');
  },
  Secret: (secret, report) => {
    checkKeys(secret, 'data', report);
    if (secret['type'] !== 'kubernetes.io/tls') return;
    for (const key of ['tls.crt', 'tls.key']) {
      if (!isRecord(secret['data']) || secret['data'][key] === undefined)
        report(['data', key], 'is required in a Secret of type kubernetes.io/tls');
    }
  },
  ConfigMap: (map, report) => {
    checkKeys(map, 'data', report);
    checkKeys(map, 'binaryData', report);
    const { data, binaryData } = map;
    if (!isRecord(data) || !isRecord(binaryData)) return;
    for (const key of Object.keys(data))
      if (key in binaryData) report(['data', key], 'must not be in data and binaryData');
  },
  EndpointSlice: checkEndpointSlice,
};

function checkKeys(object: Fields, field: string, report: Report): void {
  const data = object[field];
  for (const key of isRecord(data) ? Object.keys(data) : []) {
    const issue = dataKey(key);
    if (issue !== undefined) report([field, key], issue);
  }
}

function checkService(spec: Fields, report: Report): void {
  oneOf(['spec', 'type'], spec['type'], ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'], report);
  oneOf(['spec', 'sessionAffinity'], spec['sessionAffinity'], ['None', 'ClientIP'], report);
  if (spec['type'] === 'ExternalName' && !spec['externalName'])
    report(['spec', 'externalName'], 'is required with type ExternalName');
  const ports: readonly unknown[] = Array.isArray(spec['ports']) ? spec['ports'] : [];
  if (ports.length === 0 && spec['type'] !== 'ExternalName' && spec['clusterIP'] !== 'None') {
    report(['spec', 'ports'], 'is required and must have at least 1 item');
  }
  const names = new Set<unknown>();
  for (const [index, port] of ports.entries()) {
    if (!isRecord(port)) continue;
    const path = ['spec', 'ports', index];
    checkServicePort(port, path, report);
    checkPortName(port['name'], { path: [...path, 'name'], needed: ports.length > 1, names }, report);
  }
}

function checkServicePort(port: Fields, path: Path, report: Report): void {
  checkPort(port['port'], [...path, 'port'], report);
  checkTarget(port['targetPort'], [...path, 'targetPort'], report);
  oneOf([...path, 'protocol'], port['protocol'], ['TCP', 'UDP', 'SCTP'], report);
}

interface PortName {
  readonly path: Path;
  readonly needed: boolean;
  /** The names of the ports before this one. */
  readonly names: Set<unknown>;
}

function checkPortName(name: unknown, { path, needed, names }: PortName, report: Report): void {
  if (name === undefined || name === '') {
    if (needed) report(path, 'is required where a Service has several ports');
    return;
  }
  const issue = typeof name === 'string' ? dnsLabel(name) : undefined;
  if (issue !== undefined) report(path, issue);
  if (names.has(name)) report(path, `must not repeat ${JSON.stringify(name)}, which another port has already`);
  names.add(name);
}

function checkTarget(port: unknown, path: Path, report: Report): void {
  if (typeof port !== 'string') return checkPort(port, path, report);
  const issue = portName(port);
  if (issue !== undefined) report(path, issue);
}

function checkPort(port: unknown, path: Path, report: Report): void {
  if (typeof port === 'number' && (port < 1 || port > 65_535)) report(path, `must be from 1 to 65535, not ${port}`);
}

function oneOf(path: Path, value: unknown, allowed: readonly string[], report: Report): void {
  if (typeof value === 'string' && !allowed.includes(value))
    report(path, `must be one of ${allowed.join(', ')}, not ${JSON.stringify(value)}`);
}

function checkEndpointSlice(slice: Fields, report: Report): void {
  const type = slice['addressType'];
  oneOf(['addressType'], type, ['IPv4', 'IPv6', 'FQDN'], report);
  const endpoints: readonly unknown[] = Array.isArray(slice['endpoints']) ? slice['endpoints'] : [];
  for (const [index, endpoint] of endpoints.entries()) {
    const addresses: unknown = isRecord(endpoint) ? endpoint['addresses'] : undefined;
    if (!Array.isArray(addresses)) continue;
    if (addresses.length === 0) report(['endpoints', index, 'addresses'], 'must have at least 1 item');
    for (const [at, address] of addresses.entries())
      checkAddress(address, type, ['endpoints', index, 'addresses', at], report);
  }
}

function checkAddress(address: unknown, type: unknown, path: Path, report: Report): void {
  if (typeof address !== 'string') return;
  if (type === 'IPv4' && !isIPv4(address)) report(path, `must be an IPv4 address, not ${JSON.stringify(address)}`);
  if (type === 'IPv6' && !isIPv6(address)) report(path, `must be an IPv6 address, not ${JSON.stringify(address)}`);
}
