/** The certificates of HTTPS listeners, from the files mounted beside the table. */
import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { certificateFiles } from '../../table/certificates.ts';
import type { TableListener } from '../../table/document.ts';
import { anyHost, hostNames } from '../match/isolation.ts';

/** What is shown at one port. */
export interface PortCertificates {
  /** For the name a client asks for; nothing if the listener it belongs to has no certificate that can be used. */
  of(name: string): SecureContext | undefined;
  /** For clients that name none: of the listener without hostname. */
  readonly unnamed: CertificateText | undefined;
}

/** PEM texts, several for a listener with keys of several kinds. */
interface CertificateText {
  readonly cert: string[];
  readonly key: string[];
}

export interface Certificates {
  at(port: number): PortCertificates;
  /** Certificates that could not be used, a sentence each. */
  readonly problems: readonly string[];
}

interface Shown {
  readonly hostname: string;
  readonly text: CertificateText;
  readonly context: SecureContext;
}

/** Made anew when the table or a file has changed. A listener with a broken certificate has none; all others are served. */
export function readCertificates(
  listeners: readonly TableListener[],
  files: ReadonlyMap<string, Buffer>,
): Certificates {
  const ports = new Map<number, Map<string, Shown | undefined>>();
  const problems: string[] = [];
  for (const { id, protocol, port, hostname = anyHost } of listeners) {
    if (protocol !== 'HTTPS') continue;
    const names = ports.get(port) ?? new Map<string, Shown | undefined>();
    ports.set(port, names);
    const found = contextOf(id, files);
    if (found.problem !== undefined) problems.push(found.problem);
    const shown = found.context === undefined ? undefined : { hostname, text: found.text, context: found.context };
    names.set(hostname, names.get(hostname) ?? shown);
  }
  return { at: (port) => portCertificates(ports.get(port) ?? new Map()), problems };
}

function portCertificates(names: ReadonlyMap<string, Shown | undefined>): PortCertificates {
  return {
    of(name) {
      const owner = hostNames(name).find((covering) => names.has(covering));
      return owner === undefined ? undefined : names.get(owner)?.context;
    },
    unnamed: names.get(anyHost)?.text,
  };
}

type Found =
  | { readonly context: SecureContext; readonly text: CertificateText; readonly problem?: never }
  | { readonly problem: string; readonly context?: never };

function contextOf(id: string, files: ReadonlyMap<string, Buffer>): Found {
  const cert: string[] = [];
  const key: string[] = [];
  for (let index = 0; ; index += 1) {
    const names = certificateFiles(id, index);
    const pair = [files.get(names.certificate), files.get(names.key)] as const;
    if (pair[0] === undefined || pair[1] === undefined) break;
    cert.push(pair[0].toString());
    key.push(pair[1].toString());
  }
  if (cert.length === 0) return { problem: `listener ${id} has no certificate yet: TLS for its hostname fails` };
  try {
    return { context: createSecureContext({ cert, key }), text: { cert, key } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `the certificate of listener ${id} cannot be used (${why}): TLS for its hostname fails` };
  }
}
