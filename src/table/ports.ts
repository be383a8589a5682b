/** Where the proxy listens for the ports of listeners: decided here once, as rules and proxy must agree. */

/** Above every well-known port, which an unprivileged process cannot have, and above those of the pod itself. */
const offset = 10_000;
const last = 65_535;
/** Of listener ports that the offset would carry beyond the last port. */
const downwards = 50_000;
/** Held by the tunnel door, by the proxy's admin address and by cloudflared's metrics. */
const taken: ReadonlySet<number> = new Set([2000, 8080, 8081]);

/**
 * The port in the pod by listener port: the listener port plus 10,000. One above 55,535 goes to itself less 50,000, and where that port is
 * held already to the next lower free one. So all but a few ports of the top are the same whatever other listeners there are.
 */
export function doorPorts(listenerPorts: Iterable<number>): ReadonlyMap<number, number> {
  const ports = new Map<number, number>();
  const held = new Set(taken);
  for (const port of [...new Set(listenerPorts)].toSorted((a, b) => a - b)) {
    let door = port + offset <= last ? port + offset : port - downwards;
    while (held.has(door)) door -= 1;
    held.add(door);
    ports.set(port, door);
  }
  return ports;
}
