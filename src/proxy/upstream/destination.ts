import type { TableBackend } from '../../table/document.ts';

/** Where an engine sends: one address with one protocol. */
export interface Destination {
  readonly protocol: TableBackend['protocol'];
  /** Name or address to dial; an IPv6 literal without brackets. */
  readonly host: string;
  readonly port: number;
  /** With TLS: the name in SNI and in the certificate, also where a pod's address is dialled; absent if the backend has no name. */
  readonly certificateName?: string;
}

/** One key per destination: connections are shared by every rule that names it. */
export function destinationKey({ protocol, host, port, certificateName = '' }: Destination): string {
  return `${protocol}://${certificateName}@${host}:${port}`;
}
