/** A fake Cloudflare, a controller's view of it, and a clock in the test's hand. */
import type { CloudflareDesired } from '../../../src/derive/results.ts';
import { createCloudflare } from '../../../src/effects/cloudflare/cloudflare.ts';
import type { CloudflareAccount, CloudflareSettings } from '../../../src/effects/cloudflare/cloudflare.ts';
import type { TunnelLife } from '../../../src/effects/cloudflare/step.ts';
import { startCloudflareApi } from './server.ts';
import type { CloudflareApi, Options } from './server.ts';

export const token = 'tok-SENTINEL-123';
export const accountId = 'acc1';
export const writes = 'POST|PUT|PATCH|DELETE';
export const tunnelName = 'cloudflare-gateway-controller.io/clusters/c/namespaces/ns/gateways/edge';

export interface World {
  readonly api: CloudflareApi;
  readonly clock: { now: number };
  /** A controller that has just been started: it remembers nothing. */
  start(settings?: CloudflareSettings): CloudflareAccount;
  close(): Promise<void>;
}

export async function startWorld(options: Options = {}): Promise<World> {
  const clock = { now: Date.now() };
  const api = await startCloudflareApi({ zones: ['example.com', 'example.org'], now: () => clock.now, ...options });
  return {
    api,
    clock,
    start: (settings = {}) =>
      createCloudflare({ baseUrl: api.baseUrl, now: () => clock.now, readRetries: [], ...settings }).account({
        token,
        accountId,
      }),
    close: () => api.close(),
  };
}

const origin = { service: 'http://127.0.0.1:8080', originRequest: { connectTimeout: 5, keepAliveConnections: 2000 } };

/** What a plane with these hostnames wants. */
export function life(hostnames: readonly string[], changes: Partial<TunnelLife> = {}): TunnelLife {
  const desired: CloudflareDesired = {
    tunnel: { name: tunnelName },
    document: { ingress: [...hostnames.map((hostname) => ({ hostname, ...origin })), origin] },
    records: { mode: 'all', hostnames, skipped: [] },
  };
  return { desired, ...changes };
}

/** Name and content of all records, with the tunnel's id left out, and the tunnels and their documents: what a plane comes to. */
export function endState({ state }: CloudflareApi): unknown {
  const live = state.tunnels.filter(({ deletedAt }) => deletedAt === undefined);
  return {
    tunnels: live.map(({ name, config }) => ({ name, config })),
    records: state.records
      .map(({ name, type, content, proxied }) => {
        const target = live.find(({ id }) => content === `${id}.cfargotunnel.com`);
        return { name, type, proxied, content: target === undefined ? content : `the tunnel ${target.name}` };
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** Puts a record into a zone as a person would. */
export function byHand(
  api: CloudflareApi,
  record: { name: string; type: string; content: string; proxied?: boolean },
): string {
  const zone = api.state.zones.find(({ name }) => record.name === name || record.name.endsWith(`.${name}`));
  const id = `hand-${api.state.records.length}`;
  const now = new Date(0).toISOString();
  api.state.records.push({
    proxied: true,
    ...record,
    id,
    zoneId: zone?.id ?? '',
    ttl: 1,
    comment: null,
    createdOn: now,
    modifiedOn: now,
  });
  return id;
}

/** The tunnel of the plane, which must be there. */
export function tunnelIn({ state }: CloudflareApi): CloudflareApi['state']['tunnels'][number] {
  const tunnel = state.tunnels.find(({ name, deletedAt }) => name === tunnelName && deletedAt === undefined);
  if (tunnel === undefined) throw new Error('there is no tunnel');
  return tunnel;
}
