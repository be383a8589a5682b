import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ListenerDoor, Matched, MatchRequest } from './match/request.ts';
import type { Accounts, HostAccount } from './metrics.ts';
import type { Destination } from './upstream/destination.ts';
import type { Reply } from './upstream/reply.ts';

/** Changes what goes upstream: `fields`, `outHost`, `outPath` of the exchange. */
export type RequestFilter = (exchange: Exchange) => void;
/** Takes and returns response field lines: name, value, name, value. */
export type ResponseFilter = (fields: string[]) => string[];
export type ExchangeAccounts = Accounts<Exchange>;

/** How a connection came to an in-cluster door. */
export interface Arrival extends ListenerDoor {
  /** The name the client asked for in TLS, lower case. */
  readonly serverName?: string;
  /** What the peer says of the client is believed. */
  readonly isTrusted: boolean;
}

/**
 * One request on its way through the proxy: what the gate made of it, what it matched, what goes upstream. A class, as there is one
 * for each request: its shape is fixed when it is made, and nothing else is allocated for an ordinary request but two header lists.
 */
export class Exchange implements MatchRequest {
  readonly req: IncomingMessage;
  readonly socket: Socket;
  /** Absent for an upgrade, which is answered on the socket. */
  res: ServerResponse | undefined;
  readonly accounts: ExchangeAccounts;
  /** The in-cluster door it came through; nothing at the tunnel door. */
  readonly door: Arrival | undefined;
  /** Milliseconds, monotonic. */
  readonly started: number;

  /** Matched form of the host: lower case, no port. */
  host = '';
  /** The host as the client wrote it, with its port. */
  authority = '';
  path = '';
  /** Without the `?`, for matching. */
  query = '';
  /** From the `?` on, byte for byte; empty if there was none. */
  search = '';
  method: string;

  /** Values the gate took from the fields: empty when absent. */
  connection = '';
  upgrade = '';
  forwardedFor = '';
  hasForwardedHost = false;
  isGrpc = false;
  hasBody = false;
  isChunked = false;
  wantsTrailers = false;
  expectsContinue = false;

  matched: Matched | undefined;
  account: HostAccount | undefined;
  /** Milliseconds until the response head must have come; 0 is for ever. */
  deadline = 0;
  requestFilters: readonly RequestFilter[] = none;
  responseFilters: readonly ResponseFilter[] = none;
  /** What routing came to: an answer of the proxy's own, or a destination. */
  reply: Reply | undefined;
  destination: Destination | undefined;
  /** The backend takes WebSocket upgrades. */
  takesUpgrades = false;
  /** Field lines for the upstream: name, value, name, value. Host, framing and hop-by-hop fields are not among them. */
  fields: string[] = [];
  outHost = '';
  isHostRewritten = false;
  outPath = '';
  /** The answer asks the client to close the connection. */
  closes = false;

  /** The answer goes on until somebody ends it: a drain may. */
  endless: 'events' | 'grpc' | undefined;

  bytesIn = 0;
  bytesOut = 0;
  isFinished = false;
  /** Another request of the same connection that began before and is not answered yet. */
  earlier: Exchange | undefined;
  /** Set by whoever holds something for this exchange: called once when the client has gone. */
  onClientGone: (() => void) | undefined;

  // Four, as everything about an exchange comes together here, and an object for them would be made for every request.
  constructor(req: IncomingMessage, res: ServerResponse | undefined, accounts: ExchangeAccounts, door?: Arrival) {
    this.req = req;
    this.socket = req.socket;
    this.res = res;
    this.accounts = accounts;
    this.door = door;
    this.started = performance.now();
    this.method = req.method ?? 'GET';
    accounts.inFlight += 1;
  }

  /** Every value of a header, one per field line. */
  headerValues(name: string): readonly string[] {
    const raw = this.req.rawHeaders;
    const values: string[] = [];
    for (let index = 0; index < raw.length; index += 2) {
      const field = raw[index] ?? '';
      if (field.length === name.length && field.toLowerCase() === name) values.push(raw[index + 1] ?? '');
    }
    return values;
  }

  /** Counts the exchange, once. `status` is what is counted, 0 for a client that went away before an answer. */
  finish(status: number): void {
    if (this.isFinished) return;
    this.isFinished = true;
    this.accounts.finished(this, status);
  }
}

const none: readonly never[] = [];
