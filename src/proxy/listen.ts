import type { Server } from 'node:net';

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Resolves once the server listens; rejects if the address cannot be had. */
export function listen(server: Server, { host, port }: HostPort): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
