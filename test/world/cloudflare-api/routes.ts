/** Method and path to handler: the endpoints this Cloudflare has. */
import { getConfiguration, putConfiguration } from './configurations.ts';
import type { Answer } from './envelope.ts';
import { batchRecords } from './batch.ts';
import { createRecord, deleteRecord, editRecord, getRecord, listRecords, putRecord } from './records.ts';
import type { Request } from './request.ts';
import type { State } from './state.ts';
import {
  createTunnel,
  deleteConnections,
  deleteTunnel,
  editTunnel,
  getToken,
  getTunnel,
  listConnections,
  listTunnels,
} from './tunnels.ts';
import { getZone, listZones } from './zones.ts';

export type Handler = (state: State, request: Request) => Answer;

const tunnels = '/accounts/:account/cfd_tunnel';
const records = '/zones/:zone/dns_records';

const routes: readonly (readonly [method: string, pattern: string, handler: Handler])[] = [
  ['GET', tunnels, listTunnels],
  ['POST', tunnels, createTunnel],
  ['GET', `${tunnels}/:tunnel`, getTunnel],
  ['PATCH', `${tunnels}/:tunnel`, editTunnel],
  ['DELETE', `${tunnels}/:tunnel`, deleteTunnel],
  ['GET', `${tunnels}/:tunnel/token`, getToken],
  ['GET', `${tunnels}/:tunnel/configurations`, getConfiguration],
  ['PUT', `${tunnels}/:tunnel/configurations`, putConfiguration],
  ['GET', `${tunnels}/:tunnel/connections`, listConnections],
  ['DELETE', `${tunnels}/:tunnel/connections`, deleteConnections],
  ['GET', '/zones', listZones],
  ['GET', '/zones/:zone', getZone],
  ['GET', records, listRecords],
  ['POST', records, createRecord],
  ['POST', `${records}/batch`, batchRecords],
  ['GET', `${records}/:record`, getRecord],
  ['PATCH', `${records}/:record`, editRecord],
  ['PUT', `${records}/:record`, putRecord],
  ['DELETE', `${records}/:record`, deleteRecord],
];

/** The handler for a call and the named parts of its path; undefined where there is no such endpoint. */
export function routeOf(
  method: string,
  path: string,
): { handler: Handler; params: Record<string, string> } | undefined {
  for (const [wanted, pattern, handler] of routes) {
    const params = wanted === method ? paramsOf(pattern, path) : undefined;
    if (params !== undefined) return { handler, params };
  }
  return undefined;
}

function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}
