import type { PlaneResult } from '../derive/results.ts';
import { decode } from '../table/decode.ts';
import { decodeEndpoints, encodeEndpoints } from '../table/endpoints.ts';
import { UsageError } from './exitcodes.ts';

/** Addresses that take the place of backends, by backend id. */
export type BackendAddresses = ReadonlyMap<string, string>;

const form = /^([a-z0-9-]+)\/([a-z0-9.-]+):(\d+)=((?:\[[0-9a-f:.]+\]|[^:[\]]+):\d{1,5})$/i;

/** `NAMESPACE/SERVICE:PORT=HOST:PORT`, each as `Service/namespace/service/port` → `host:port`. Throws a UsageError for any other text. */
export function backendAddresses(texts: readonly string[]): BackendAddresses {
  return new Map(
    texts.map((text): [string, string] => {
      const [, namespace, service, port, address] = form.exec(text) ?? [];
      const dialled = Number(address?.slice(address.lastIndexOf(':') + 1));
      if (address === undefined || dialled < 1 || dialled > 65_535)
        throw new UsageError(
          `--backend ${text} is not NAMESPACE/SERVICE:PORT=HOST:PORT, as shop/cart:80=127.0.0.1:3000`,
        );
      return [`Service/${namespace}/${service}/${port}`, address];
    }),
  );
}

/** The endpoints document of a plane with those addresses in it. */
export function withAddresses({ endpoints }: PlaneResult, addresses: BackendAddresses): string {
  const document = decodeEndpoints(endpoints);
  const given = Object.fromEntries([...addresses].map(([id, address]) => [id, [address]]));
  return encodeEndpoints({ ...document, backends: { ...document.backends, ...given } });
}

/**
 * Throws a UsageError for an address whose backend the table does not have: it would never be used. Returns the backends that have none, as
 * `namespace/service:port`: those are dialled by their name in the cluster.
 */
export function unaddressed({ table, endpoints }: PlaneResult, addresses: BackendAddresses): readonly string[] {
  const known = Object.keys(decode(table.text).backends);
  const stranger = [...addresses.keys()].find((id) => !known.includes(id));
  if (stranger !== undefined) {
    const shown = known.map(asWritten).join(', ');
    throw new UsageError(
      `--backend ${asWritten(stranger)}: no route of the Gateway sends there; routes send to ${shown || 'no backend'}`,
    );
  }
  const ready = decodeEndpoints(endpoints).backends;
  return known.filter((id) => !addresses.has(id) && ready[id] === undefined).map(asWritten);
}

function asWritten(id: string): string {
  return id.replace(/^Service\/(.*)\/(\d+)$/, '$1:$2');
}
