/**
 * Every connection of the proxy to backends: one engine per destination, made when first needed, kept across reloads, closed once
 * neither the table nor the endpoints document names the destination any more.
 */
import type { EndpointsDocument, RoutingTable, TableBackend } from '../../table/document.ts';
import { certificateName, createLookup, dialledName, parseAddress } from './address.ts';
import { destinationKey } from './destination.ts';
import { engineDefaults } from './engine.ts';
import type { Destination } from './destination.ts';
import type { EngineOptions, Upstream } from './engine.ts';
import { h2cUpstream } from './h2c.ts';
import { undiciUpstream } from './undici.ts';

/** Ready addresses by backend id; `undefined`: the document does not speak of that backend, which is dialled by its name. */
export type ReadyAddresses = ReadonlyMap<string, readonly Destination[]>;

export interface Upstreams {
  /** The engine of a destination. */
  to(destination: Destination): Upstream;
  /** Closes the engines of destinations that are not wanted; in-flight requests finish. */
  keepOnly(wanted: ReadonlySet<string>): void;
  /** How many destinations are connected. */
  readonly size: number;
  closeAll(): void;
}

export function createUpstreams(options: EngineOptions = engineDefaults): Upstreams {
  const engines = new Map<string, Upstream>();
  const lookup = createLookup();
  return {
    to(destination) {
      const key = destinationKey(destination);
      let engine = engines.get(key);
      if (!engine) {
        engine =
          destination.protocol === 'h2c'
            ? h2cUpstream(destination, options, lookup)
            : undiciUpstream(destination, options, lookup);
        engines.set(key, engine);
      }
      return engine;
    },
    keepOnly(wanted) {
      for (const [key, engine] of engines) {
        if (wanted.has(key)) continue;
        engines.delete(key);
        engine.close();
      }
    },
    get size() {
      return engines.size;
    },
    closeAll() {
      for (const engine of engines.values()) engine.close();
      engines.clear();
    },
  };
}

/** Where a backend is dialled by its name. */
export function namedDestination(backend: TableBackend): Destination {
  return { protocol: backend.protocol, host: dialledName(backend.host), port: backend.port, ...nameInTls(backend) };
}

function nameInTls({ protocol, host }: TableBackend): Pick<Destination, 'certificateName'> {
  const name = protocol === 'https' ? certificateName(host) : undefined;
  return name === undefined ? {} : { certificateName: name };
}

/** The endpoints document made ready: unknown backends and broken addresses are left out. */
export function readyAddresses(document: EndpointsDocument | undefined, table: RoutingTable): ReadyAddresses {
  const ready = new Map<string, readonly Destination[]>();
  for (const [id, addresses] of Object.entries(document?.backends ?? {})) {
    const backend = table.backends[id];
    if (!backend) continue;
    ready.set(
      id,
      addresses.flatMap((address) => {
        const parsed = parseAddress(address);
        return parsed ? [{ protocol: backend.protocol, ...parsed, ...nameInTls(backend) }] : [];
      }),
    );
  }
  return ready;
}

/** Keys of every destination that a table and its ready addresses name. */
export function wantedDestinations(table: RoutingTable, ready: ReadyAddresses): Set<string> {
  const wanted = new Set<string>();
  for (const [id, backend] of Object.entries(table.backends)) {
    wanted.add(destinationKey(namedDestination(backend)));
    for (const destination of ready.get(id) ?? []) wanted.add(destinationKey(destination));
  }
  return wanted;
}
