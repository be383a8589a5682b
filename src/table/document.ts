/**
 * The routing table: the contract between the rules that write it and the proxy that serves by it.
 *
 * The document is made to be read in a review: every listener, host row, rule and backend is one line of JSON, all in
 * a stable order, so that a change of one rule is a change of a few lines. It holds no secrets.
 */

/** Schema version written by this build. A reader takes any document of the same major version and ignores what it does not know. */
export const tableSchema = { major: 1, minor: 0 } as const;

/** `<major>.<minor>`, as documents carry it. */
export const tableVersion = `${tableSchema.major}.${tableSchema.minor}`;

/** One whole table: what a data plane serves. Source: DESIGN, "The routing table". */
export interface RoutingTable {
  /** `<major>.<minor>` of the schema. */
  readonly schema: string;
  /** The plane served, `<namespace>/<name>`. */
  readonly plane: string;
  /** Every accepted listener of the plane, sorted by `id`. A listener without rows still owns its hostname. */
  readonly listeners: readonly TableListener[];
  /** Host buckets: exact names sorted, then wildcards by label count (longest first), then `*`. */
  readonly hosts: readonly HostRows[];
  /** What is done with a request, by rule id, sorted. */
  readonly rules: Readonly<Record<string, TableRule>>;
  /** Where requests go, by backend id, sorted. */
  readonly backends: Readonly<Record<string, TableBackend>>;
}

/** An accepted listener. At the tunnel door only `gateway` and `hostname` count; the in-cluster door also knows `port`. */
export interface TableListener {
  /** `<namespace>/<gateway>/<listener name>`. */
  readonly id: string;
  /** `<namespace>/<gateway>`: listener isolation is computed among the listeners of one Gateway. */
  readonly gateway: string;
  readonly protocol: 'HTTP' | 'HTTPS';
  readonly port: number;
  /** Lower-case, exact or `*.` wildcard; absent means every host no other listener of the Gateway matches. */
  readonly hostname?: string;
}

/** The rows of one host bucket: `app.example.com`, `*.example.com` (any number of labels, never the bare parent) or `*`. */
export interface HostRows {
  readonly host: string;
  /** In rank order: the first row whose every condition holds wins. Ranked match by match by the rules (seed: "Route Conflict Resolution"). */
  readonly rows: readonly TableRow[];
}

/** One match of one rule. */
export interface TableRow {
  readonly path: PathMatch;
  readonly method?: string;
  readonly headers?: readonly ValueMatch[];
  readonly queryParams?: readonly ValueMatch[];
  /** Ids of the listeners through which the route answers this host; a row answers only where one of them owns the host. */
  readonly listeners: readonly string[];
  /** Key into `rules`. */
  readonly rule: string;
}

/** Compared with the normal form of the request path. A prefix is compared by path element and has no trailing slash (but `/`). */
export interface PathMatch {
  readonly type: 'Exact' | 'PathPrefix' | 'RegularExpression';
  readonly value: string;
}

/** A header (name in lower case) or a query parameter (name as written). A regular expression is RE2 and matches the whole value. */
export interface ValueMatch {
  readonly name: string;
  readonly type: 'Exact' | 'RegularExpression';
  readonly value: string;
}

/** What is done with a request that won a row. */
export interface TableRule {
  /** The route and rule this came from, for logs and `cfgwctl route`: `HTTPRoute shop/cart rule 0 (name)`. */
  readonly source: string;
  /** Set when the rule as a whole cannot be served: every request gets this answer. */
  readonly answer?: FixedAnswer;
  /** In the order they run: before those of the backend. */
  readonly filters?: readonly TableFilter[];
  /** Weighted choice per request. Absent or empty without a redirect: 500. */
  readonly backends?: readonly WeightedBackend[];
  readonly timeouts?: RuleTimeouts;
}

/** An answer made by the proxy itself. A gRPC request gets status UNAVAILABLE in its place (seed: "Unavailable backends"). */
export interface FixedAnswer {
  readonly status: number;
  /** One sentence for logs and `cfgwctl route`; never sent to the client. */
  readonly why: string;
}

/** Header-only deadlines in milliseconds; 0 or absent means none (seed: "Interaction with spec.rules[].timeouts"). */
export interface RuleTimeouts {
  readonly request?: number;
  readonly backendRequest?: number;
}

/** A share of a rule's traffic: either sent to a backend or answered by the proxy. */
export interface WeightedBackend {
  readonly weight: number;
  /** Key into `backends`. */
  readonly backend?: string;
  readonly answer?: FixedAnswer;
  /** Filters of this backendRef; they run after those of the rule. */
  readonly filters?: readonly TableFilter[];
}

/** An address to dial. `host` is a name resolved at dial time; ready addresses may come from the endpoints document instead. */
export interface TableBackend {
  readonly host: string;
  readonly port: number;
  /** `http1` HTTP/1.1 cleartext, `h2c` HTTP/2 cleartext with prior knowledge, `https` TLS with the system's roots. */
  readonly protocol: 'http1' | 'h2c' | 'https';
  /** WebSocket upgrades are passed on (appProtocol `kubernetes.io/ws`); without it an upgrade is forwarded as a plain request. */
  readonly websocket?: true;
}

export type TableFilter = HeaderModifier | RequestRedirect | URLRewrite;

/** Gateway API HTTPHeaderFilter: set, then add, then remove; names compared without case. */
export interface HeaderModifier {
  readonly type: 'RequestHeaderModifier' | 'ResponseHeaderModifier';
  readonly set?: readonly HeaderValue[];
  readonly add?: readonly HeaderValue[];
  readonly remove?: readonly string[];
}

export interface HeaderValue {
  readonly name: string;
  readonly value: string;
}

/** Gateway API HTTPRequestRedirectFilter. */
export interface RequestRedirect {
  readonly type: 'RequestRedirect';
  readonly scheme?: 'http' | 'https';
  readonly hostname?: string;
  readonly port?: number;
  readonly path?: PathModifier;
  readonly statusCode: number;
  /** Scheme and port (absent: none written) chosen beforehand for the tunnel door, where no listener is known (seed: "Redirect port"). */
  readonly atTunnel: { readonly scheme: 'http' | 'https'; readonly port?: number };
}

/** Gateway API HTTPURLRewriteFilter. */
export interface URLRewrite {
  readonly type: 'URLRewrite';
  readonly hostname?: string;
  readonly path?: PathModifier;
}

/** `ReplacePrefixMatch` replaces the prefix of the row that won. Source: Gateway API HTTPPathModifier. */
export type PathModifier =
  | { readonly type: 'ReplaceFullPath'; readonly replaceFullPath: string }
  | { readonly type: 'ReplacePrefixMatch'; readonly replacePrefixMatch: string };

/**
 * Ready addresses, apart from the table so that endpoint churn leaves the reviewable part alone. A backend listed here with
 * addresses is dialled there (chosen evenly); listed with none it answers 503; not listed it is dialled by its `host`.
 */
export interface EndpointsDocument {
  readonly schema: string;
  /** `host:port` by backend id, sorted. */
  readonly backends: Readonly<Record<string, readonly string[]>>;
}
