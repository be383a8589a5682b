/** Tables of several listeners, and ports for their doors, for the wire tests of in-cluster doors. */
import { createServer as createNetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { RoutingTable, TableFilter, TableListener, TableRow, TableRule } from '../../src/table/document.ts';
import { doorPorts } from '../../src/table/ports.ts';
import { answering } from './harness.ts';
import type { RawBackend } from './harness.ts';

/** Where a route answers and what it does: `to` is a backend port. */
export interface TestRow {
  readonly host: string;
  readonly via: readonly string[];
  readonly to?: number;
  readonly filters?: readonly TableFilter[];
}

export function tableWith(listeners: readonly TableListener[], rows: readonly TestRow[]): RoutingTable {
  const ruleOf = ({ to, filters }: TestRow): TableRule => ({
    source: 'test',
    ...(filters && { filters }),
    ...(to === undefined ? {} : { backends: [{ weight: 1, backend: `b${to}` }] }),
  });
  const rowOf = ({ via }: TestRow, index: number): TableRow => ({
    path: { type: 'PathPrefix', value: '/' },
    listeners: via,
    rule: `r${index}`,
  });
  const hosts = Map.groupBy(
    rows.map((row, index) => ({ host: row.host, row: rowOf(row, index) })),
    ({ host }) => host,
  );
  const ports = rows.flatMap(({ to }) => to ?? []);
  return {
    schema: '1.0',
    plane: 'ns/gw',
    listeners,
    hosts: [...hosts].map(([host, found]) => ({ host, rows: found.map(({ row }) => row) })),
    rules: Object.fromEntries(rows.map((row, index) => [`r${index}`, ruleOf(row)])),
    backends: Object.fromEntries(
      ports.map((port) => [`b${port}`, { host: '127.0.0.1', port, protocol: 'http1' as const }]),
    ),
  };
}

export function listener(
  name: string,
  port: number,
  hostname?: string,
  protocol: TableListener['protocol'] = 'HTTP',
): TableListener {
  return { id: `ns/gw/${name}`, gateway: 'ns/gw', protocol, port, ...(hostname === undefined ? {} : { hostname }) };
}

/** Listener ports whose doors are free on this machine. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createNetServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports.map((port) => port - 10_000);
}

export const doorOf = (port: number): number => doorPorts([port]).get(port) ?? 0;
export const named = (name: string): Promise<RawBackend> =>
  answering(`HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${name}`);
