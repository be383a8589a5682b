/** DER, the encoding certificates are written in (X.690), as far as a certificate needs it. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};

/** A value with its tag and length before it. */
export function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);
}

function lengthOf({ length }: Buffer): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = bigEndian(length);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function bigEndian(value: number): number[] {
  return value < 256 ? [value] : [...bigEndian(Math.floor(value / 256)), value % 256];
}

export const sequence = (...items: Buffer[]): Buffer => tagged(tags.sequence, Buffer.concat(items));

export const set = (...items: Buffer[]): Buffer => tagged(tags.set, Buffer.concat(items));

export const utf8 = (text: string): Buffer => tagged(tags.utf8String, Buffer.from(text));

export const octets = (content: Buffer): Buffer => tagged(tags.octetString, content);

export const truth = (): Buffer => tagged(tags.boolean, Buffer.from([0xff]));

/** A whole number of at least 0, given as bytes, highest first. */
export function integer(bytes: Buffer | number): Buffer {
  const given = typeof bytes === 'number' ? Buffer.from(bigEndian(bytes)) : bytes;
  // A set highest bit would make it negative.
  return tagged(tags.integer, (given[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), given]) : given);
}

/** Whole bytes, of whose last `unused` bits do not count. */
export const bits = (content: Buffer, unused = 0): Buffer =>
  tagged(tags.bitString, Buffer.concat([Buffer.from([unused]), content]));

/** The value [number], which holds others. */
export const context = (number: number, content: Buffer): Buffer => tagged(0xa0 | number, content);

/** The value [number] in the place of a simple type's own tag. */
export const implicit = (number: number, content: Buffer): Buffer => tagged(0x80 | number, content);

/** An object identifier from its dotted name. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const low = value % 128;
  return value < 128 ? [low] : [...base128(Math.floor(value / 128)).map((byte) => byte | 0x80), low];
}

/** A point in time to the second; from 2050 on certificates want the longer form. */
export function time(when: Date): Buffer {
  const text = `${when.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  return when.getUTCFullYear() < 2050
    ? tagged(tags.utcTime, Buffer.from(text.slice(2)))
    : tagged(tags.generalizedTime, Buffer.from(text));
}
