/**
 * X.509 certificates (RFC 5280) with keys on the curve P-256. Node verifies and reads certificates but makes none, and a program for it would be
 * one more thing a machine may lack.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bits, context, implicit, integer, octets, oid, sequence, set, time, truth, utf8 } from './der.ts';

/** Who a certificate is for: the API server reads the user's name and groups from it. */
export interface Subject {
  readonly commonName: string;
  readonly organization?: string;
}

/** A certificate with its private key, both as PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: string;
}

/** One that may sign others. */
export interface Authority extends Identity {
  readonly subject: Subject;
  readonly privateKey: KeyObject;
}

interface Contents {
  readonly subject: Subject;
  readonly issuer: Subject;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: Buffer;
}

const day = 86_400_000;
const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'));
const extensionNames = {
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  constraints: '2.5.29.19',
  extended: '2.5.29.37',
};
const serverAndClient = sequence(oid('1.3.6.1.5.5.7.3.1'), oid('1.3.6.1.5.5.7.3.2'));

/** A new authority, valid for ten years. */
export function authority(commonName: string): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = { commonName };
  const extensions = sequence(
    extension('constraints', sequence(truth())),
    // Bits 5 and 6 of the list in RFC 5280: it signs certificates and revocation lists.
    extension('keyUsage', bits(Buffer.from([0b0000_0110]), 1)),
  );
  const certificate = signed({ subject, issuer: subject, publicKey, signer: privateKey, extensions });
  return { subject, privateKey, certificate, key: pem(privateKey) };
}

/** A new key with a certificate for it, good for servers of the given names and IPv4 addresses and for clients. */
export function issue(by: Authority, subject: Subject, names: readonly string[] = []): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = sequence(
    // Bit 0: it signs handshakes.
    extension('keyUsage', bits(Buffer.from([0b1000_0000]), 7)),
    extension('extended', serverAndClient, false),
    ...(names.length === 0 ? [] : [extension('alternativeNames', sequence(...names.map(alternativeName)), false)]),
  );
  const certificate = signed({ subject, issuer: by.subject, publicKey, signer: by.privateKey, extensions });
  return { certificate, key: pem(privateKey) };
}

function signed({ subject, issuer, publicKey, signer, extensions }: Contents): string {
  const contents = sequence(
    context(0, integer(2)),
    // A first byte between 1 and 127, so that the number is positive and has no leading zero.
    integer(Buffer.concat([Buffer.from([0x40]), randomBytes(15)])),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 3650 * day))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, extensions),
  );
  return block('CERTIFICATE', sequence(contents, ecdsaWithSha256, bits(sign('sha256', contents, signer))));
}

function nameOf({ commonName, organization }: Subject): Buffer {
  const part = (type: string, value: string): Buffer => set(sequence(oid(type), utf8(value)));
  return sequence(...(organization === undefined ? [] : [part('2.5.4.10', organization)]), part('2.5.4.3', commonName));
}

function extension(name: keyof typeof extensionNames, value: Buffer, critical = true): Buffer {
  return sequence(oid(extensionNames[name]), ...(critical ? [truth()] : []), octets(value));
}

function alternativeName(name: string): Buffer {
  return isIPv4(name) ? implicit(7, Buffer.from(name.split('.').map(Number))) : implicit(2, Buffer.from(name));
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' });
}

function block(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
