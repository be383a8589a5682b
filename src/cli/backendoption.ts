import { decodeEndpoints, encodeEndpoints } from '../table/endpoints.ts';
import { decode } from '../table/decode.ts';
import type { PlaneResult } from '../derive/results.ts';
import { UsageError } from './exitcodes.ts';

/** Addresses that take the place of backends, by backend id. */
export type BackendAddresses = ReadonlyMap<string, string>;

const form = /^([a-z0-9-]+)\/([a-z0-9.-]+):(\d+)=(.+:\d+)$/;

/** `NAMESPACE/SERVICE:PORT=HOST:PORT`, each as `Service/namespace/service/port` → `host:port`. Throws a UsageError for any other text. */
export function backendAddresses(texts: readonly string[]): BackendAddresses {
  return new Map(
    texts.map((text): [string, string] => {
      const [, namespace, service, port, address] = form.exec(text) ?? [];
      if (address === undefined)
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

/** Throws a UsageError for an address whose backend the table does not have: it would never be used. */
export function checkAddresses({ table }: PlaneResult, addresses: BackendAddresses): void {
  const known = Object.keys(decode(table.text).backends);
  for (const id of addresses.keys()) {
    if (known.includes(id)) continue;
    const shown = known.map((each) => each.replace(/^Service\/(.*)\/(\d+)$/, '$1:$2')).join(', ');
    throw new UsageError(
      `--backend ${id.replace(/^Service\/(.*)\/(\d+)$/, '$1:$2')}: no route of the Gateway sends there; it sends to ${shown || 'nothing'}`,
    );
  }
}
