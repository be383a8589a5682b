/** /accounts/{account}/cfd_tunnel: tunnels, their tokens and their connections. */
import { ok, page, refused } from './envelope.ts';
import type { Answer } from './envelope.ts';
import type { Request } from './request.ts';
import { liveTunnel, newTunnel, tokenOf } from './state.ts';
import type { State, Tunnel } from './state.ts';

const sizes = { default: 20, most: 1000 };

export function listTunnels(state: State, { params, query }: Request): Answer {
  const deleted = query.get('is_deleted');
  const found = state.tunnels.filter(
    (tunnel) =>
      tunnel.account === params.account &&
      matches(query.get('name'), tunnel.name) &&
      matches(query.get('uuid'), tunnel.id) &&
      matches(deleted, String(tunnel.deletedAt !== undefined)) &&
      tunnel.name.startsWith(query.get('include_prefix') ?? ''),
  );
  return page(found.map(shown), query, sizes);
}

export function createTunnel(state: State, { params, body }: Request): Answer {
  const problem = problemOfBody(body, true);
  if (problem !== undefined) return refused(400, 1000, problem);
  const { name, config_src: source = 'local', tunnel_secret: secret } = body as Record<string, string>;
  if (source === 'local' && secret === undefined) {
    return refused(400, 1000, 'tunnel_secret is required for a locally managed tunnel');
  }
  const taken = state.tunnels.some(
    (tunnel) => tunnel.account === params.account && tunnel.name === name && tunnel.deletedAt === undefined,
  );
  if (taken)
    return refused(
      409,
      1013,
      'You already have a tunnel with this name. Please choose a different name for this tunnel.',
    );
  const made = newTunnel(params.account ?? '', name ?? '', {
    configSource: source as Tunnel['configSource'],
    ...(secret === undefined ? {} : { secret }),
  });
  state.tunnels.push(made);
  return ok({ ...shown(made), credentials_file: credentials(made), token: tokenOf(made) });
}

export function getTunnel(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => ok(shown(tunnel)));
}

/** Renames, or takes a new secret: the token changes with it, connections that stand are kept. */
export function editTunnel(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => {
    const problem = problemOfBody(request.body, false);
    if (problem !== undefined) return refused(400, 1000, problem);
    const { name, tunnel_secret: secret } = request.body as Record<string, string | undefined>;
    if (name !== undefined) tunnel.name = name;
    if (secret !== undefined) tunnel.secret = secret;
    return ok(shown(tunnel));
  });
}

export function deleteTunnel(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => {
    if (tunnel.connections.length > 0) {
      return refused(
        400,
        1022,
        'Cannot delete tunnel because it has active connections. Please run the cleanup command to close them.',
      );
    }
    tunnel.deletedAt = new Date().toISOString();
    return ok(shown(tunnel));
  });
}

export function getToken(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => ok(tokenOf(tunnel)));
}

export function listConnections(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => ok(connectorsOf(tunnel)));
}

/** With `client_id` only that connector's connections go, else all. */
export function deleteConnections(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => {
    const client = request.query.get('client_id');
    tunnel.connections = client === null ? [] : tunnel.connections.filter((one) => one.client_id !== client);
    return ok(null);
  });
}

export function ofTunnel(state: State, { params }: Request, answer: (tunnel: Tunnel) => Answer): Answer {
  const id = params.tunnel ?? '';
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return refused(400, 1001, 'Invalid tunnel ID');
  const tunnel = liveTunnel(state, params.account ?? '', id);
  return tunnel === undefined ? refused(404, 1003, 'Tunnel not found') : answer(tunnel);
}

function problemOfBody(body: unknown, creating: boolean): string | undefined {
  if (typeof body !== 'object' || body === null) return 'the body must be a JSON object';
  const { name, config_src: source = 'local', tunnel_secret: secret } = body as Record<string, unknown>;
  if (creating && name === undefined) return 'name is required';
  if (name !== undefined && (typeof name !== 'string' || name === '')) return 'name must be a string that is not empty';
  if (source !== 'local' && source !== 'cloudflare') return 'config_src must be local or cloudflare';
  return isSecret(secret) ? undefined : 'tunnel_secret must be at least 32 bytes in base64';
}

function isSecret(secret: unknown): boolean {
  return secret === undefined || (typeof secret === 'string' && Buffer.from(secret, 'base64').length >= 32);
}

function matches(wanted: string | null, actual: string): boolean {
  return wanted === null || wanted === actual;
}

function shown(tunnel: Tunnel): object {
  return {
    id: tunnel.id,
    account_tag: tunnel.account,
    name: tunnel.name,
    created_at: tunnel.createdAt,
    deleted_at: tunnel.deletedAt ?? null,
    conns_active_at: tunnel.connections[0]?.opened_at ?? null,
    conns_inactive_at: null,
    connections: tunnel.connections,
    tun_type: 'cfd_tunnel',
    status: tunnel.connections.length > 0 ? 'healthy' : 'inactive',
    remote_config: tunnel.configSource === 'cloudflare',
    config_src: tunnel.configSource,
    metadata: {},
  };
}

function credentials(tunnel: Tunnel): object {
  return { AccountTag: tunnel.account, TunnelID: tunnel.id, TunnelName: tunnel.name, TunnelSecret: tunnel.secret };
}

function connectorsOf(tunnel: Tunnel): object[] {
  const clients = [...new Set(tunnel.connections.map((one) => one.client_id))];
  return clients.map((id) => ({
    id,
    arch: 'linux_amd64',
    version: '2025.11.1',
    config_version: tunnel.version,
    run_at: tunnel.connections.find((one) => one.client_id === id)?.opened_at,
    conns: tunnel.connections.filter((one) => one.client_id === id),
  }));
}
