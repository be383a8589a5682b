/** /accounts/{account}/cfd_tunnel/{tunnel}/configurations: the ingress document, replaced as a whole. */
import { ok, refused } from './envelope.ts';
import type { Answer } from './envelope.ts';
import type { Request } from './request.ts';
import type { State, Tunnel } from './state.ts';
import { ofTunnel } from './tunnels.ts';

export function getConfiguration(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => ok(shown(tunnel)));
}

export function putConfiguration(state: State, request: Request): Answer {
  return ofTunnel(state, request, (tunnel) => {
    if (tunnel.configSource === 'local') return refused(400, 1057, 'This tunnel is locally managed');
    const { config } = (request.body ?? {}) as { config?: Record<string, unknown> };
    if (typeof config !== 'object' || config === null)
      return refused(400, 1056, 'Bad Configuration: config is required');
    const problem = problemOf(config.ingress);
    if (problem !== undefined) return refused(400, 1056, `Bad Configuration: ${problem}`);
    tunnel.config = withDefaults(config);
    tunnel.version += 1;
    return ok(shown(tunnel));
  });
}

function shown(tunnel: Tunnel): object {
  return {
    tunnel_id: tunnel.id,
    version: tunnel.version,
    config: tunnel.config,
    source: tunnel.configSource,
    created_at: tunnel.createdAt,
  };
}

/** What is read back is not what was written, byte by byte: the real one fills in empty members. */
function withDefaults(config: Record<string, unknown>): Record<string, unknown> {
  const ingress = config.ingress as Record<string, unknown>[] | undefined;
  return {
    ...config,
    ...(ingress === undefined
      ? {}
      : { ingress: ingress.map((rule) => ({ ...rule, originRequest: rule.originRequest ?? {} })) }),
    'warp-routing': config['warp-routing'] ?? { enabled: false },
  };
}

function problemOf(ingress: unknown): string | undefined {
  if (ingress === undefined) return undefined;
  if (!Array.isArray(ingress)) return 'ingress must be a list';
  const rules = ingress as Record<string, unknown>[];
  for (const [index, rule] of rules.entries()) {
    const problem = problemOfRule(rule, index, index === rules.length - 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfRule(rule: Record<string, unknown>, index: number, last: boolean): string | undefined {
  const { hostname = '', service, originRequest } = rule;
  const place = `Rule #${index + 1}`;
  if (typeof service !== 'string' || !services.test(service)) return `${place} has an invalid service`;
  const general = isGeneral(rule);
  if (last && !general) {
    return 'The last ingress rule must match all URLs (i.e. it should not have a hostname or path filter)';
  }
  if (!last && general) {
    return `${place} is matching the hostname '', but this will match every hostname, meaning the rules which follow it will never be triggered.`;
  }
  if (!isHostname(hostname)) return `${place} has an invalid hostname`;
  return durationIsText(originRequest)
    ? `${place} has an invalid originRequest: durations are whole seconds`
    : undefined;
}

function isGeneral({ hostname = '', path = '' }: Record<string, unknown>): boolean {
  return (hostname === '' || hostname === '*') && path === '';
}

const services = /^([a-z+]+:\/\/|http_status:[1-9]\d\d$|hello_world$|socks-proxy$)/;

/** No port, and a star only at the start. */
function isHostname(hostname: unknown): boolean {
  return typeof hostname === 'string' && !hostname.includes(':') && hostname.lastIndexOf('*') <= 0;
}

function durationIsText(originRequest: unknown): boolean {
  const settings = (originRequest ?? {}) as Record<string, unknown>;
  return ['connectTimeout', 'keepAliveTimeout', 'tlsTimeout', 'tcpKeepAlive'].some(
    (name) => typeof settings[name] === 'string',
  );
}
