const block = /-----BEGIN ([A-Z ]+)-----\s+([A-Za-z0-9+/=\s]+?)-----END \1-----/g;

/**
 * Why a text holds no PEM block (RFC 7468) with one of the labels that could be what it says: nothing where it does. Only the
 * envelope is looked at; whether the certificate is any good is told where it is used.
 */
export function pemProblem(text: string, labels: readonly string[]): string | undefined {
  const blocks = [...text.matchAll(block)];
  if (blocks.length === 0) return 'there is no PEM block';
  const bodies = blocks.filter(([, label = '']) => labels.includes(label)).map(([, , body = '']) => body);
  if (bodies.length === 0) return `there is only ${blocks.map(([, label]) => label).join(', ')}`;
  return bodies.every(isSequence) ? undefined : 'its content is damaged';
}

/** Certificates and keys are ASN.1 sequences: tag 0x30, then a length that the rest has. */
function isSequence(body: string): boolean {
  let bytes: string;
  try {
    bytes = atob(body.replaceAll(/\s/g, ''));
  } catch {
    return false;
  }
  const at = (index: number): number => bytes.codePointAt(index) ?? Number.NaN;
  if (at(0) !== 0x30) return false;
  if (at(1) < 0x80) return bytes.length === 2 + at(1);
  const size = at(1) - 0x80;
  const length = Array.from({ length: size }, (_, index) => at(2 + index)).reduce((sum, each) => sum * 256 + each, 0);
  return bytes.length === 2 + size + length;
}
