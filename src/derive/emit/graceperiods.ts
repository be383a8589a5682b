/** How long things may take when a pod starts and stops. Seconds. */

/** For requests in flight: of cloudflared after SIGTERM, and of the proxy. */
export const graceSeconds = 30;

/** For preStop (the proxy answers at once), and for the last container to end after the grace period. */
const preStopSeconds = 10;
const endSeconds = 5;

export const terminationGracePeriodSeconds = preStopSeconds + graceSeconds + endSeconds;

/** The proxy ends with an error if no valid table came by then. */
export const firstTableSeconds = 120;
