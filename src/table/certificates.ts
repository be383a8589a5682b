/**
 * Names of the files in which the proxy finds the certificates of a listener. They are keys of the Secret `gateway-<name>-certificates`,
 * which the operator fills and which is mounted beside the table.
 */
import { tableHash } from './hash.ts';

/** PEM: `tls.crt` and `tls.key` of one Secret that the listener names. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/**
 * The files of certificate `index`, from 0, of a listener by its id in the table. A hash stands for the id, since an id may be longer than
 * the name of a file and has slashes. A reader takes 0, 1, … up to the first that is not there.
 */
export function certificateFiles(listenerId: string, index: number): CertificateFiles {
  const name = `listener-${tableHash(listenerId).slice(0, 16)}-${index}`;
  return { certificate: `${name}.crt`, key: `${name}.key` };
}
