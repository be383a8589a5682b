/**
 * The proxy as a value: what `run.ts` runs, `cfgwctl serve` embeds and the tests drive over real sockets.
 */
import type { AddressInfo, Server } from 'node:net';
import { createMetrics } from '../observe/metrics.ts';
import { silentLogger } from '../observe/logger.ts';
import type { Logger } from '../observe/logger.ts';
import { createAccessLog } from './accesslog.ts';
import type { AccessLogOptions } from './accesslog.ts';
import { createAdmin } from './admin.ts';
import { createDoor } from './door.ts';
import type { DoorOptions } from './door.ts';
import { createDoors } from './doors/doors.ts';
import type { Doors } from './doors/doors.ts';
import { trustedPeers } from './doors/trustedpeers.ts';
import { createDrain } from './drain.ts';
import type { Pipeline } from './handle.ts';
import { listen } from './listen.ts';
import type { HostPort } from './listen.ts';
import { createAccounts } from './metrics.ts';
import { createPasses } from './passes.ts';
import { startReload } from './reload.ts';
import type { ReloadStatus } from './reload.ts';
import { createLookup } from './upstream/address.ts';
import type { Random } from './upstream/choice.ts';
import { engineDefaults } from './upstream/engine.ts';
import type { EngineOptions } from './upstream/engine.ts';
import { createUpstreams } from './upstream/upstreams.ts';
import { createWebSockets, webSocketDefaults } from './upstream/websocket.ts';
import type { WebSocketLimits } from './upstream/websocket.ts';

export interface ProxyOptions {
  /** Address of the tunnel door; port 0 takes any free one. */
  readonly listen: HostPort;
  /** Address of health, status and metrics; none is opened without it. */
  readonly admin?: HostPort;
  /** Address of the in-cluster doors, one for each listener port of the table; none is opened without it. */
  readonly doors?: string;
  /** Peers whose forwarding fields are kept at in-cluster doors: addresses, or ranges as `10.0.0.0/8`. None by default. */
  readonly trustedPeers?: readonly string[];
  /** A directory as kubelet mounts it, or one file. */
  readonly table: string;
  /** Milliseconds between looks at the table beside the file system's own notices; 1000 by default. */
  readonly pollMs?: number;
  /** Path part after `/drain/`; without it there is no such address. */
  readonly drainPart?: string;
  /** Milliseconds for what is in flight when the proxy stops; 30,000 by default. */
  readonly graceMs?: number;
  readonly accessLog?: AccessLogOptions;
  readonly logger?: Logger;
  readonly random?: Random;
  /** Milliseconds a request head may take once it has begun; 10,000 by default. */
  readonly headMs?: number;
  readonly engine?: Partial<EngineOptions>;
  readonly webSocket?: Partial<WebSocketLimits>;
  /** Process metrics beside the proxy's own; only one proxy of a process should have them. */
  readonly processMetrics?: boolean;
}

export interface RunningProxy {
  /** `http://host:port` of the tunnel door. */
  readonly url: string;
  /** `http://host:port` of the admin address; empty if there is none. */
  readonly adminUrl: string;
  /** Resolves once a first valid table serves. */
  readonly ready: Promise<void>;
  status(): ReloadStatus;
  /** Looks at the table now; resolves when what is there has been dealt with. */
  reload(): Promise<ReloadStatus>;
  /** Readiness off, WebSockets closed with 1001, answers ask to close the connection. */
  drain(): void;
  /** Drains, waits for what is in flight at most the grace period, then cuts. */
  stop(graceMs?: number): Promise<void>;
}

const defaults = { pollMs: 1000, graceMs: 30_000 } as const;

/** Listens at once; requests before the first valid table are answered 503. Throws if an address cannot be listened on. */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const logger = options.logger ?? silentLogger;
  const metrics = createMetrics({ process: options.processMetrics ?? false });
  const accounts = createAccounts(metrics, options.accessLog ? createAccessLog(options.accessLog, logger) : undefined);
  const upstreams = createUpstreams({ ...engineDefaults, ...options.engine });
  const webSockets = createWebSockets({ ...webSocketDefaults, ...options.webSocket, lookup: createLookup() });
  const pipeline: Pipeline = { serving: undefined, random: options.random ?? Math.random, isDraining: false };
  const shared = { pipeline, passes: createPasses(upstreams, webSockets), accounts, headMs: options.headMs };
  const door = createDoor(shared);
  const doors = inClusterDoors(options, shared, logger);
  const graceMs = options.graceMs ?? defaults.graceMs;
  await listen(door.server, options.listen);
  const reload = startReload({
    path: options.table,
    pollMs: options.pollMs ?? defaults.pollMs,
    pipeline,
    upstreams,
    accounts,
    metrics,
    logger,
    doors,
  });
  const everyDoor = [door, ...(doors === undefined ? [] : [doors])];
  const drain = createDrain({ pipeline, doors: everyDoor, webSockets, accounts, graceMs, logger });
  const part = options.drainPart === undefined ? {} : { drainPart: options.drainPart };
  const admin = createAdmin({ reload, drain, metrics, ...part });
  const stop = async (grace: number): Promise<void> => {
    await drain.finish(grace);
    reload.stop();
    upstreams.closeAll();
    admin.close();
    admin.closeAllConnections();
  };
  if (options.admin) {
    await listen(admin, options.admin).catch(async (error: unknown) => {
      await stop(0);
      throw error;
    });
  }
  return {
    url: urlOf(door.server),
    adminUrl: options.admin ? urlOf(admin) : '',
    ready: reload.ready,
    status: () => reload.status(),
    reload: () => reload.look(),
    drain: () => drain.begin(),
    stop: (grace = graceMs) => stop(grace),
  };
}

function inClusterDoors(
  { doors: host, trustedPeers: ranges = [] }: ProxyOptions,
  shared: DoorOptions,
  logger: Logger,
): Doors | undefined {
  const isTrusted = trustedPeers(ranges);
  return host === undefined ? undefined : createDoors({ ...shared, host, isTrusted, logger });
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
