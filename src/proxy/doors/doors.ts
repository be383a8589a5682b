/**
 * All in-cluster doors of a proxy: one for each listener port of the table, opened and closed when the table changes, so that a new
 * listener rolls no pod. Source: decisions, "Listener ports".
 */
import type { Logger } from '../../observe/logger.ts';
import type { RoutingTable } from '../../table/document.ts';
import { doorPorts } from '../../table/ports.ts';
import type { Door, DoorOptions, HttpDoor } from '../door.ts';
import { listen } from '../listen.ts';
import { readCertificates } from './certificates.ts';
import type { Certificates } from './certificates.ts';
import { createListenerDoor } from './listenerdoor.ts';

export interface DoorsOptions extends Omit<DoorOptions, 'arrivalOf'> {
  /** Address all of them listen on. */
  readonly host: string;
  readonly isTrusted: (address: string) => boolean;
  readonly logger: Logger;
}

export interface Doors extends Door {
  /** Opens and closes doors as the table has it; resolves when they are. A door that cannot be opened is tried again, and logged. */
  serve(table: RoutingTable, files: ReadonlyMap<string, Buffer>): Promise<void>;
}

/** For a port that somebody else still holds. */
const retryMs = 1000;
/** How often connections of a door that was closed are looked at: idle ones end, busy ones when they are answered. */
const sweepMs = 100;

interface State {
  readonly open: Map<number, HttpDoor>;
  readonly closing: Set<Door>;
  certificates: Certificates;
  isClosed: boolean;
}

export function createDoors(options: DoorsOptions): Doors {
  const { logger } = options;
  const state: State = {
    open: new Map(),
    closing: new Set(),
    certificates: readCertificates([], new Map()),
    isClosed: false,
  };
  let retry: NodeJS.Timeout | undefined;
  let said = '';
  const all = (): readonly Door[] => [...state.open.values(), ...state.closing];
  const serve: Doors['serve'] = async (table, files) => {
    clearTimeout(retry);
    if (state.isClosed) return;
    state.certificates = readCertificates(table.listeners, files);
    const { problems } = state.certificates;
    // Once for one state of things, not at every look.
    if (problems.join() !== said) for (const reason of problems) logger.warn('no TLS', { reason });
    said = problems.join();
    const wanted = doorPorts(table.listeners.map(({ port }) => port));
    for (const [port, door] of state.open) if (!wanted.has(port)) closeDoor(state, port, door);
    const opened = await Promise.all([...wanted].map(([port, at]) => openDoor(options, state, { port, at })));
    if (opened.includes(false)) retry = setTimeout(() => void serve(table, files), retryMs).unref();
  };
  return {
    serve,
    inFlight: () => all().flatMap((door) => [...door.inFlight()]),
    async close() {
      state.isClosed = true;
      clearTimeout(retry);
      await Promise.all(all().map((door) => door.close()));
    },
    closeIdle() {
      for (const door of all()) door.closeIdle();
    },
    closeAll() {
      for (const door of all()) door.closeAll();
    },
  };
}

/** Whether the door is open now. A port that has changed its place in the pod keeps the old one until it is closed. */
async function openDoor(
  options: DoorsOptions,
  state: State,
  { port, at }: { readonly port: number; readonly at: number },
): Promise<boolean> {
  if (state.open.has(port)) return true;
  const door = createListenerDoor({
    ...options,
    port,
    certificates: () => state.certificates.at(port),
  });
  state.open.set(port, door);
  try {
    await listen(door.server, { host: options.host, port: at });
    options.logger.info('door opened', { port, at });
    return true;
  } catch (error) {
    state.open.delete(port);
    options.logger.error('a door cannot be opened; it is tried again', { port, at, error });
    return false;
  }
}

function closeDoor(state: State, port: number, door: Door): void {
  state.open.delete(port);
  state.closing.add(door);
  const sweep = setInterval(() => door.closeIdle(), sweepMs);
  void door.close().then(() => {
    clearInterval(sweep);
    state.closing.delete(door);
  });
  door.closeIdle();
}
