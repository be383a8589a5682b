/** Where the containers of a data plane's pod listen. */

/** One loopback TCP address for HTTP, gRPC and WebSocket alike: nothing outside the pod reaches it past cloudflared. Source: cloudflared facts §10. */
export const tunnelDoor = { host: '127.0.0.1', port: 8080 } as const;

/** Health, status, metrics and drain of the proxy. */
export const adminPort = 8081;

/** Readiness and metrics of cloudflared. The port also serves its configuration and pprof. */
export const connectorMetricsPort = 2000;
