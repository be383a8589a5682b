/**
 * What a test of another process may ask of this Cloudflare, beside the API: its state, its log, failures, and connectors that come and
 * go. Not part of the real API, and under a prefix that the real one does not have.
 */
import type { ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Fault, Faults } from './faults.ts';
import type { Call } from './request.ts';
import type { State, Tunnel } from './state.ts';

export const controlPrefix = '/world/';

interface Controlled {
  readonly state: State;
  readonly faults: Faults;
  readonly log: Call[];
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly response: ServerResponse;
}

export function answerControl(world: Controlled, { method, path, body, response }: Asked): void {
  const result = controlled(world, `${method} ${path.slice(controlPrefix.length)}`, body);
  response
    .writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' })
    .end(JSON.stringify(result ?? { error: `nothing at ${method} ${path}` }));
}

function controlled({ state, faults, log }: Controlled, asked: string, body: string): unknown {
  const connections = /^(PUT|DELETE) connections\/([0-9a-f-]+)$/.exec(asked);
  if (connections !== null) return connect(state, connections[2] ?? '', connections[1] === 'PUT');
  switch (asked) {
    case 'GET state':
      return { zones: state.zones, records: state.records, tunnels: state.tunnels.map(withoutSecret) };
    case 'GET calls':
      return log.map(({ method, path, query, status }) => ({ method, path, query, status }));
    case 'DELETE calls':
      return { forgotten: log.splice(0).length };
    case 'POST faults':
      faults.add(JSON.parse(body) as Fault);
      return {};
    case 'DELETE faults':
      faults.clear();
      return {};
    default:
      return undefined;
  }
}

/** A connector registers (four connections, as cloudflared keeps) or all of the tunnel's go. */
export function connect(state: State, tunnelId: string, there: boolean): object | undefined {
  const tunnel = state.tunnels.find(({ id }) => id === tunnelId);
  if (tunnel === undefined) return undefined;
  if (!there) {
    tunnel.connections = [];
    return {};
  }
  const client = randomUUID();
  const opened = new Date().toISOString();
  for (const colo of ['fra03', 'fra07', 'ams01', 'ams02']) {
    tunnel.connections.push({ id: randomUUID(), client_id: client, colo_name: colo, opened_at: opened });
  }
  return { client_id: client };
}

/** A secret is shown to nobody; a connector is known by its token through the API. */
function withoutSecret(tunnel: Tunnel): object {
  return { ...tunnel, secret: undefined };
}
